-- As graphs.sql, but what had updated graphs is not in the trace.
-- Base: races/graphs.sql
INSERT INTO metadata VALUES ('events', 'wrappers');
-- Found:
2 of 2 graph launches not judged: updates of graphs are not in the trace
