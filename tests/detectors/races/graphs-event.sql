-- As graphs.sql, but an event was recorded while the first graph was captured, perhaps as a node: launches may order other
-- streams by it.
-- Base: races/graphs.sql
INSERT INTO functions VALUES (40, 'cudaEventRecordWithFlags', 'event-record');
UPDATE calls SET function_id = 40, arguments_id = NULL WHERE id = 4;
UPDATE graph_nodes SET call_id = 3 WHERE id = 103;
-- Found:
2 of 2 graph launches not judged: graphs have nodes that order other streams
