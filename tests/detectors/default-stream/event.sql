-- Near-miss: an event recorded in the default stream stands behind the kernel of the blocking stream
-- (device: 0 to 20 ms). The copy that waits for it was held by that one, not by what was before it
-- in its own stream (0 to 10 ms): nothing was lost.
INSERT INTO functions VALUES (7, 'cudaStreamWaitEvent', 'stream-wait-event');
INSERT INTO operation VALUES
  ('kernel', NULL,  13, 20, 0, 0, 0, 20, NULL, NULL),
  ('d2h', 'pinned', 23, 21, 0, 0, 0, 10, 11000000, 61000000);
INSERT INTO other_call VALUES (5, 7, 900, 22, 1, 1), (7, 23, 900, 23, 2, 2);
UPDATE calls SET correlation_id = 1000 + id WHERE object = 900;
INSERT INTO event_records (context_id, stream_id, event_id, correlation_id, sync_id)
  SELECT 1, 7, 1, correlation_id, 1 FROM calls WHERE function_id = 5;
INSERT INTO synchronizations (type, context_id, stream_id, event_id, correlation_id, sync_id)
  SELECT 2, 1, 23, 1, correlation_id, 1 FROM calls WHERE function_id = 7;
INSERT INTO operation VALUES 
  ('h2d', 'pinned', 23, 24, 3, 3, 20, 40, 1000000, 51000000);
