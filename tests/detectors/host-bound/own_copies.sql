-- As prepares.sql, but NCCL makes the copies: what it sets up for itself is no batch.
-- Base: host-bound/prepares.sql
INSERT INTO modules VALUES (9, '/usr/lib/libnccl.so.2', NULL);
UPDATE frames SET module_id = 9 WHERE site_id = 40;
-- Found:
wall 27 ms, overlapped 0 ms, lost 12 (12 to 12) ms, replayed 27 ms
sync-in-loop app.cu:42, 4 times, blocked 12 ms, lost 12 (12 to 12) ms
  at 0 ms for 3 ms: call 3 operation 3 cause 2, stream 3 ms
  at 6 ms for 3 ms: call 6 operation 5 cause 4, stream 3 ms
  at 12 ms for 3 ms: call 9 operation 7 cause 6, stream 3 ms
