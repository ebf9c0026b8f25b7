-- A buffer for each chunk: cudaMalloc takes 1 ms, cudaFree waits for the chunk. Three chunks: 123 ms.
-- With the first buffer kept, cudaFree at the end alone, and the second cudaMalloc gone: the copies in
-- run from 1, 11 and 41 (behind the first chunk in its stream), the last kernel from 51 to 71, and the
-- run ends at 81. The last cudaFree costs nothing: no work follows it.
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaMalloc', NULL, NULL, 70, 0, 1);
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 71, 1, 1, 11, 31);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaFree', NULL, NULL, 74, 2, 41),
  ('cudaMalloc', NULL, NULL, 70, 41, 42);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 14, 71, 42, 42, 42, 52, 2000000, 52000000),
  ('kernel', NULL,  14, 72, 42, 42, 52, 72, NULL, NULL),
  ('d2h', 'pinned', 14, 73, 42, 42, 72, 82, 12000000, 61000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaFree', NULL, NULL, 74, 43, 82),
  ('cudaMalloc', NULL, NULL, 70, 82, 83);
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (3, 1, 13, 71, 83, 83, 93, 113);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaFree', NULL, NULL, 74, 84, 123);
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
