-- As copies.sql, but the second stream waits for an event behind the first copy: near-miss.
-- Base: races/copies.sql
UPDATE operations SET start_ns = start_ns + 5000000, end_ns = end_ns + 5000000 WHERE stream_id = 24;
UPDATE calls SET start_ns = start_ns + 2000000, end_ns = end_ns + 2000000 WHERE site_id = 31;
INSERT INTO event_wait VALUES (23, 40, 1, 24, 41, 1);
-- Found:
