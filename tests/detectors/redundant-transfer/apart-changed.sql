-- Near-miss: as apart.sql, but the fourth differs from the second: the lines do not tell.
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000);
INSERT INTO chunk
  SELECT 1, 1, 13, 30, 40 * n, 40 * n, 40 * n + 10, 40 * n + 30 FROM number WHERE n < 5;
UPDATE rounds SET times = 5, ms = 40;
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 33, 0, 40);
INSERT INTO launch SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
UPDATE calls SET numbers = CASE id WHEN 4 THEN 2147483648 + 9 WHEN 10 THEN 2147483648 + 8 ELSE 7 END
  WHERE site_id = 30;
-- Found:
wall 200 ms, overlapped 0 ms, lost 80 (10 to 80) ms, replayed 200 ms
sync-in-loop app.cu:33, 4 times, blocked 160 ms, lost 0 (0 to 0) ms
  at 0 ms for 40 ms: call 4 operation 4 cause 3, stream 40 ms
  at 40 ms for 40 ms: call 8 operation 7 cause 6, stream 40 ms
  at 80 ms for 40 ms: call 12 operation 10 cause 9, stream 40 ms
serial-stream app.cu:30, 4 times, blocked 120 ms, lost 80 (10 to 80) ms, with the others fixed
  at 10 ms for 30 ms: operation 4 cause 3
  at 50 ms for 30 ms: operation 7 cause 6
  at 90 ms for 30 ms: operation 10 cause 9
  fix: the other one
