-- As graphs.sql, but the first graph's nodes ran in a stream of the graph's own, and the other two work in the stream of its launch:
-- the stream orders all three.
-- Base: races/graphs.sql
UPDATE operations SET stream_id = 14 WHERE correlation_id = 6;
UPDATE operations SET stream_id = 23, start_ns = start_ns + 30000000, end_ns = end_ns + 30000000 WHERE correlation_id >= 7;
UPDATE calls SET stream_handle = 2300 WHERE id >= 7;
-- Found:
