-- cudaMalloc takes long itself: 25 ms the second time. With one buffer for both chunks the second copy
-- runs from 6 to 16 ms, its kernel behind the first one from 35 to 45: 45 ms instead of 90. With
-- cudaFreeAsync instead of cudaFree alone, the copy runs from 31 to 41, its kernel until 51.
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaMalloc', NULL, NULL, 70, 0, 5);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 13, 72, 5, 5, 5, 35, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaFree', NULL, NULL, 74, 6, 35),
  ('cudaMalloc', NULL, NULL, 70, 35, 60);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 14, 71, 60, 60, 60, 70, 2000000, 52000000),
  ('kernel', NULL,  14, 72, 60, 60, 70, 80, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaFree', NULL, NULL, 74, 61, 80);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 23, 73, 80, 80, 80, 90, 11000000, 62000000);
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
