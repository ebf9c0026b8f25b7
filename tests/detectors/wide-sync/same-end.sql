-- Near-miss: as kernel.sql, but the result is done no earlier than the other stream's kernel: a wait for
-- the first stream would take as long.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL,  14, 51, 0, 0, 0, 40, NULL, NULL),
  ('d2h', 'pinned', 13, 52, 0, 0, 0, 40, 11000000, 61000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 53, 1, 40);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 50, 43, 43, 43, 53, 3000000, 51000000),
  ('kernel', NULL,  13, 51, 43, 43, 53, 63, NULL, NULL);
