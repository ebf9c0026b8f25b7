-- Four steps of 20 ms: a copy in (1 ms), a kernel (9 ms), a synchronize that nothing needs, and a second
-- kernel (3 ms), launched when the synchronize has returned and started 0.1 ms behind that. Its result comes
-- back (1 ms), is waited for, and the host makes the next source from it (5.7 ms). Without the synchronize the
-- second kernel follows the first at once: 4 x 0.2 of 74.3 ms, and no more at the high end, for all that the
-- host does waits for the second kernel anyway.
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (53000000, 1000000);
UPDATE rounds SET times = 4, ms = 20;
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 20, 0, 0, 0, 1, 1000000, 51000000),
  ('kernel', NULL, 13, 21, 0, 0, 1, 10, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 22, 0, 10.1);
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 23, 10.1, 10.1, 10.2, 13.2, NULL, NULL),
  ('d2h', 'pinned', 13, 24, 10.1, 10.1, 13.2, 14.2, 11000000, 53000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 25, 10.15, 14.3);
INSERT INTO launch SELECT correlation_id, 51000000, 52000000 FROM calls WHERE site_id = 21;
INSERT INTO launch SELECT correlation_id, 52000000, 53000000 FROM calls WHERE site_id = 23;
-- Found:
wall 74.3 ms, overlapped 0 ms, lost 0.8 (0.8 to 0.8) ms, replayed 74.3 ms
sync-in-loop app.cu:22, 4 times, blocked 40 ms, lost 0.8 (0.8 to 0.8) ms
  at 0 ms for 10 ms: call 3 operation 3 cause 2, other streams 10 ms
  at 20 ms for 10 ms: call 9 operation 7 cause 6, other streams 10 ms
  at 40 ms for 10 ms: call 15 operation 11 cause 10, other streams 10 ms
not seen: sync-in-loop: 3 12.2
