-- Near-miss: as mapped.sql, but the trace does not say what the kernel writes. No copy uses the pinned
-- memory: kernels must.
INSERT INTO call VALUES ('cudaHostAlloc', NULL, NULL, 5, 0, 0);
UPDATE calls SET dst = 31000000, size_bytes = 1000000 WHERE site_id = 5;
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 1, 1, 1, 30, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 42, 2, 30);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 43, 40, 40, 40, 60, 1000000, 51000000);
-- Found:
wall 60 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 60 ms
not seen: sync-in-loop: 1 28
