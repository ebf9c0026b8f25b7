-- Near-miss: cudaFreeAsync that returned with the end of a kernel, for whatever reason: to write it is
-- what the fix says.
INSERT INTO functions VALUES (7, 'cudaFreeAsync', 'free');
INSERT INTO operation VALUES ('kernel', NULL, 13, 72, 0, 0, 0, 30, NULL, NULL);
INSERT INTO other_call VALUES (7, 13, NULL, 74, 1, 30);
INSERT INTO operation VALUES ('h2d', 'pinned', 14, 71, 30, 30, 30, 40, 2000000, 52000000);
