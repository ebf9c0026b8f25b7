-- Near-miss: the second branch was captured in stream 14, behind an event of the first one: the program wants
-- that order.
-- Base: graph-serial/branches.sql
UPDATE calls SET stream_handle = 1400 WHERE site_id IN (73, 74);
-- Found:
wall 80 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 80 ms
