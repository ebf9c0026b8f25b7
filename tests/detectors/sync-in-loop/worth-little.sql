-- Four steps of 20 ms: a copy in (1 ms), a kernel (9 ms), a synchronize that nothing needs, and a second
-- kernel (3 ms), launched when the synchronize has returned and started 0.1 ms behind that. Its result comes
-- back (1 ms), is waited for, and the host makes the next source from it (5.7 ms). Without the synchronize the
-- second kernel follows the first at once: 4 x 0.2 of 74.3 ms, and no more at the high end, for all that the
-- host does waits for the second kernel anyway.
INSERT INTO allocation (address, size) VALUES
  (51000000, 1000000), (52000000, 1000000), (53000000, 1000000);
CREATE TABLE step AS WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 3) SELECT 20 * n t FROM s;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'h2d', 'pinned', 13, 20, t, t, t, t + 1, 1000000, 51000000 FROM step;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 13, 21, t, t, t + 1, t + 10, NULL, NULL FROM step;
INSERT INTO call (function, stream, line, enter, leave)
  SELECT 'cudaDeviceSynchronize', NULL, 22, t, t + 10.1 FROM step;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 13, 23, t + 10.1, t + 10.1, t + 10.2, t + 13.2, NULL, NULL FROM step;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pinned', 13, 24, t + 10.1, t + 10.1, t + 13.2, t + 14.2, 11000000, 53000000 FROM step;
INSERT INTO call (function, stream, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 13, 25, t + 10.15, t + 14.3 FROM step;
INSERT INTO launch (call, reads, writes) SELECT correlation_id, 51000000, 52000000 FROM calls WHERE site_id = 21;
INSERT INTO launch (call, reads, writes) SELECT correlation_id, 52000000, 53000000 FROM calls WHERE site_id = 23;
DROP TABLE step;
