-- As shared-buffer.sql, but the copies fill the whole allocation: the second chunk uses nothing that was there,
-- so that a second buffer does for sure, and all of the chunk runs there. Its copy in runs beside the first kernel,
-- its kernel from 30 to 50 ms, its copy out to 60: 80 - 60 ms, also in the low end.
-- Base: serial-stream/shared-buffer.sql
INSERT INTO allocation VALUES (51000000, 1000000);
INSERT INTO launch SELECT id, 51000000, 51000000 FROM calls WHERE site_id = 31;
-- Found:
wall 80 ms, overlapped 0 ms, lost 20 (20 to 20) ms, replayed 80 ms
serial-stream app.cu:30, 1 times, blocked 30 ms, lost 20 (20 to 20) ms
  at 10 ms for 30 ms: operation 4 cause 3
  fix: the other one
