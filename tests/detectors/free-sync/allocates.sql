-- cudaMalloc takes long itself: 25 ms the second time. With one buffer for both chunks the second copy
-- runs from 6 to 16 ms, its kernel behind the first one from 35 to 45: 45 ms instead of 90. With
-- cudaFreeAsync instead of cudaFree alone, the copy runs from 31 to 41, its kernel until 51.
INSERT INTO functions VALUES (7, 'cudaFree', 'free'), (8, 'cudaMalloc', 'alloc');
INSERT INTO other_call VALUES (8, NULL, NULL, 70, 0, 5);
INSERT INTO operation VALUES ('kernel', NULL, 13, 72, 5, 5, 5, 35, NULL, NULL);
INSERT INTO other_call VALUES (7, NULL, NULL, 74, 6, 35), (8, NULL, NULL, 70, 35, 60);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 14, 71, 60, 60, 60, 70, 2000000, 52000000),
  ('kernel', NULL,  14, 72, 60, 60, 70, 80, NULL, NULL);
INSERT INTO other_call VALUES (7, NULL, NULL, 74, 61, 80);
INSERT INTO operation VALUES ('d2h', 'pinned', 23, 73, 80, 80, 80, 90, 11000000, 62000000);
UPDATE calls SET dst = 61000000 WHERE function_id IN (7, 8);
