-- As framework.sql, but the program waits by itself: what it does before and behind its waits is its own, and stays. Nine
-- steps take 4 + 8 + 10 us, and the last wait ends at 198 + 16 + 4 = 218 us.
-- Base: sync-in-loop/framework.sql
DELETE FROM python_frames;
-- Found:
wall 0.29 ms, overlapped 0 ms, lost 0.072 (0.072 to 0.072) ms, replayed 0.29 ms
sync-in-loop app.cu:42, 9 times, blocked 0.036 ms, lost 0.072 (0.072 to 0.072) ms
  at 0.012 ms for 0.004 ms: call 2 operation 2 cause 1, other streams 0.004 ms
  at 0.042 ms for 0.004 ms: call 4 operation 3 cause 2, other streams 0.004 ms
  at 0.072 ms for 0.004 ms: call 6 operation 4 cause 3, other streams 0.004 ms
  fix: the other one
