-- As moved-lines.sql, but three pairs were compared, which is too few to tell of the others: the copies that were
-- compared are found, and count for the high end alone.
-- Base: scenes/moved.sql
UPDATE calls SET numbers = 100 + start_ns / 10000000 / 3 WHERE site_id = 30;
UPDATE calls SET numbers = 101 + start_ns / 10000000 / 3 WHERE site_id = 32;
UPDATE calls SET numbers = NULL WHERE site_id = 30 AND start_ns >= 1120000000;
-- Found:
wall 180 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 180 ms
redundant-transfer app.cu:30, 3 times, blocked 30 ms, lost 0 (0 to 0) ms, folded
  at 30 ms for 10 ms: call 4 operation 4
  at 60 ms for 10 ms: call 7 operation 7
  at 90 ms for 10 ms: call 10 operation 10
