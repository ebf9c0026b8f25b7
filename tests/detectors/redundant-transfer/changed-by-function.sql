-- Near-miss: as enqueued-back.sql, but a host function runs between the two copies, which may change the field.
-- Base: redundant-transfer/enqueued-back.sql
UPDATE rounds SET times = 1;
INSERT INTO call VALUES
  ('cudaLaunchHostFunc', 7, NULL, 36, 0, 0),
  ('cudaLaunchHostFunc', 7, NULL, 37, 50, 50),
  ('cudaLaunchHostFunc', 7, NULL, 38, 100, 100);
INSERT INTO host_function VALUES (36, 30, 30), (37, 80, 80), (38, 130, 130);
-- Found:
wall 150 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 150 ms
sync-in-loop app.cu:35, 2 times, blocked 80 ms, lost 0 (0 to 0) ms, folded
  at 0 ms for 40 ms: call 5 operation 5 cause 3, other streams 40 ms
  at 50 ms for 40 ms: call 11 operation 9 cause 7, other streams 40 ms
