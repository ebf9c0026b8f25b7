-- Near-miss: as mapped.sql, with memory of the program's own that it registered.
INSERT INTO allocation VALUES (61000000, 1000000);
INSERT INTO call VALUES ('cudaHostRegister', NULL, NULL, 5, 0, 0);
UPDATE calls SET dst = 31000000, size_bytes = 1000000 WHERE site_id = 5;
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 1, 1, 1, 30, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 42, 2, 30);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 43, 40, 40, 40, 60, 1000000, 51000000);
INSERT INTO launch VALUES (2, 61000000, 31500000);
-- Found:
wall 60 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 60 ms
not seen: sync-in-loop: 1 28
not seen: buffers in one allocation: 1 2
