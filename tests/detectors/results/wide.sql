-- A kernel writes pinned memory until 10 ms, and another one in a second stream the device's until 30. The
-- host waits for both; it can read the first one's result alone, and could have done so 20 ms earlier.
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000), (71000000, 1000000);
INSERT INTO call VALUES ('cudaHostAlloc', NULL, NULL, 5, 0, 0);
UPDATE calls SET dst = 31000000, size_bytes = 1000000 WHERE site_id = 5;
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 41, 0, 0, 0, 10, NULL, NULL),
  ('kernel', NULL, 14, 41, 0, 0, 10, 30, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 42, 1, 30);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 43, 40, 40, 40, 60, 1000000, 71000000);
INSERT INTO launch VALUES (2, 61000000, 31500000), (3, 51000000, 61000000);
-- Found:
wall 60 ms, overlapped 0 ms, lost 20 (20 to 20) ms, replayed 60 ms
wide-sync app.cu:42, 1 times, blocked 20 ms, lost 20 (20 to 20) ms
  at 10 ms for 20 ms: call 4 operation 3 cause 2 needed 1, other streams 29 ms
not seen: buffers in one allocation: 1 4
