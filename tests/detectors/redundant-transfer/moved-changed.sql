-- As moved-lines.sql, but the host changes what came down before it goes up: nothing is said of these copies.
-- Base: scenes/moved.sql
UPDATE calls SET numbers = 100 + start_ns / 10000000 / 3 WHERE site_id = 30;
UPDATE calls SET numbers = 201 + start_ns / 10000000 / 3 WHERE site_id = 32;
-- Found:
wall 180 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 180 ms
