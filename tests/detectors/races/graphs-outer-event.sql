-- As graphs.sql, but the first graph was captured with a wait for an event that was recorded before; waits are known by
-- their calls, as in each trace by default.
-- Base: races/graphs.sql
UPDATE calls SET start_ns = start_ns + 200000, end_ns = end_ns + 200000 WHERE id <= 5;
UPDATE calls SET end_ns = end_ns + 200000, start_ns = start_ns + 200000 WHERE id = 5;
INSERT INTO event_wait VALUES (24, 60, 0, 23, 61, 0.3);
INSERT INTO metadata VALUES ('event_waits', 'calls');
-- Found:
2 of 2 graph launches not judged: graphs have nodes that order other streams
