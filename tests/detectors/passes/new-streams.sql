-- The chunks of copy-behind-wait.sql from 42 ms on, in streams that are made at 41.5 ms, between two waits
-- that nothing needs. Without these waits the streams' creation moves with their calls, and the
-- synchronizes that the copies hide are found as before.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 23, 49, 0, 0, 0, 20, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 23, NULL, 50, 0, 20);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 24, 51, 20, 20, 20, 40, 13000000, 63000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 24, NULL, 52, 20, 40);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned',   13, 30, 42,  42,  42,  52,  1000000, 51000000),
  ('kernel', NULL,    13, 31, 42,  42, 52,  82, NULL, NULL),
  ('d2h', 'pageable', 13, 32, 42, 92, 82,  92, 11000000, 61000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 33, 92, 92);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned',   14, 30, 92, 92, 92,  102,  2000000, 52000000),
  ('kernel', NULL,    14, 31, 92, 92, 102,  132, NULL, NULL),
  ('d2h', 'pageable', 14, 32, 92, 142, 132, 142, 12000000, 62000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 14, NULL, 33, 142, 142);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamCreate', NULL, NULL, 48, 41.4, 41.6),
  ('cudaStreamCreate', NULL, NULL, 48, 41.4, 41.6);
UPDATE streams SET created_ns = 1041500000 WHERE id IN (13, 14);
