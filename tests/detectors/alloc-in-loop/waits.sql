-- As hot.sql, but each release waits for the copy out, 12 ms, and the host has 1 ms to read the result: the wait
-- is needed and stays, the rest of both calls goes. A round takes 2 + 1 + 15 + 1 + 1 ms.
UPDATE rounds SET times = 5, ms = 20;
INSERT INTO call VALUES ('cudaMalloc', NULL, NULL, 70, 0, 2);
INSERT INTO operation VALUES ('d2h', 'pinned', 13, 73, 2, 2, 2, 15, 11000000, 61000000);
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 74, 3, 19);
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;
-- Found:
wall 99 ms, overlapped 0 ms, lost 24 (24 to 24) ms, replayed 99 ms
alloc-in-loop app.cu:70, 4 times, blocked 8 ms, lost 24 (24 to 24) ms
  at 20 ms for 2 ms: call 4
  at 40 ms for 2 ms: call 7
  at 60 ms for 2 ms: call 10
not seen: free-sync: 4 48
