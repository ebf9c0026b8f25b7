-- As ahead.sql, but behind the wait the host sends 1 MB more, in 3 ms (2 ms pinned) and never the same: that copy
-- stays in its step, and saves 1 ms in each.
-- Base: pageable-copy/ahead.sql
INSERT INTO operation VALUES ('h2d', 'pageable', 13, 35, 34, 37, 34, 37, 5000000, 55000000);
UPDATE calls SET numbers = 100 + id WHERE site_id = 35;
-- Found:
wall 317 ms, overlapped 0 ms, lost 104 (84.4444 to 126.455) ms, replayed 317 ms
pageable-copy app.cu:30, 8 times, blocked 96 ms, lost 94 (78.2222 to 94.1818) ms
  at 0 ms for 12 ms: call 1 operation 1, copy 12 ms
  at 40 ms for 12 ms: call 6 operation 5, copy 12 ms
  at 80 ms for 12 ms: call 11 operation 9, copy 12 ms
pageable-copy app.cu:35, 8 times, blocked 24 ms, lost 8 (6.22222 to 22.1818) ms
  at 34 ms for 3 ms: call 5 operation 4, copy 3 ms
  at 74 ms for 3 ms: call 10 operation 8, copy 3 ms
  at 114 ms for 3 ms: call 15 operation 12, copy 3 ms
  fix: the other one
sync-in-loop app.cu:33, 8 times, blocked 160 ms, lost 0 (0 to 0) ms
  at 14 ms for 20 ms: call 4 operation 4 cause 3, stream 20 ms
  at 54 ms for 20 ms: call 9 operation 8 cause 7, stream 20 ms
  at 94 ms for 20 ms: call 14 operation 12 cause 11, stream 20 ms
serial-stream app.cu:35, 1 times, blocked 20 ms, lost 2 (0 to 2) ms, with the others fixed
  at 193 ms for 20 ms: operation 32 cause 31
  fix: the other one
not seen: host-bound: 7 21
