-- The host reads the first result at 88, behind the wait at the end, which waits for it once more: the first
-- wait can go. The second chunk then begins 5 ms after the first, as in removable.sql: 25 ms less.
-- Base: sync-in-loop/read.sql
INSERT INTO first_use VALUES (3, 40, 1, 88, 90, 1000000), (7, 85, 0, NULL, NULL, 1000000);
-- Found:
wall 85 ms, overlapped 0 ms, lost 25 (25 to 25) ms, replayed 85 ms
sync-in-loop app.cu:43, 1 times, blocked 39 ms, lost 25 (25 to 25) ms
  at 1 ms for 39 ms: call 4 operation 4 cause 3, stream 39 ms, removable
