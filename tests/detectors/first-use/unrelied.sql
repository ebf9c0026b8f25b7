-- As removable.sql, with launch arguments: no other stream relies on the wait either. Its chunk's result was watched, and the
-- source of its copy in was not.
-- Base: first-use/removable.sql
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000), (52000000, 1000000), (62000000, 1000000);
INSERT INTO launch VALUES (2, 51000000, 61000000), (6, 52000000, 62000000);
-- Found:
wall 85 ms, overlapped 0 ms, lost 25 (25 to 25) ms, replayed 85 ms
sync-in-loop app.cu:43, 1 times, blocked 39 ms, lost 25 (25 to 25) ms
  at 1 ms for 39 ms: call 4 operation 4 cause 3, stream 39 ms, removable
