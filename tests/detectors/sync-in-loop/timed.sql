-- As device.sql, twice. Behind the first wait the host reads a clock: that counts as needed, 29 ms. Behind the
-- second one a library reads one for itself: the third kernel could start at 63 ms instead of 66. The last
-- reading is behind a call that ends later, and belongs to none.
-- Base: sync-in-loop/device.sql
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 43, 34, 63);
INSERT INTO operation VALUES ('kernel', NULL, 14, 41, 66, 66, 66, 96, NULL, NULL);
INSERT INTO modules VALUES (2, '/usr/lib/libother.so', NULL), (3, '/usr/lib/libstdc++.so.6', NULL);
INSERT INTO clock_reads (thread_id, time_ns, module_id) VALUES
  (100, 1031000000, 3), (100, 1064000000, 2), (100, 1040000000, 1);
-- Found:
wall 96 ms, overlapped 0 ms, lost 3 (3 to 3) ms, replayed 96 ms
sync-in-loop app.cu:43, 1 times, blocked 29 ms, lost 3 (3 to 3) ms
  at 34 ms for 29 ms: call 4 operation 3 cause 2, other streams 29 ms
not seen: sync-in-loop: 1 29
