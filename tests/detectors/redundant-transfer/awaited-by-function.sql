-- Near-miss: as awaited-back.sql, but a host function runs before the wait ends, which may change the field: what the
-- wait found is not what was fetched.
-- Base: redundant-transfer/awaited-back.sql
UPDATE rounds SET times = 1;
INSERT INTO call VALUES
  ('cudaLaunchHostFunc', 7, NULL, 37, 0, 0),
  ('cudaLaunchHostFunc', 7, NULL, 38, 50, 50),
  ('cudaLaunchHostFunc', 7, NULL, 39, 100, 100);
INSERT INTO host_function VALUES (37, 29, 31), (38, 79, 81), (39, 129, 131);
-- Found:
wall 150 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 150 ms
sync-in-loop app.cu:36, 3 times, blocked 90 ms, lost 0 (0 to 0) ms, folded
  at 0 ms for 30 ms: call 3 operation 3 cause 2, stream 30 ms
  at 50 ms for 30 ms: call 10 operation 7 cause 6, stream 30 ms
  at 100 ms for 30 ms: call 17 operation 11 cause 10, stream 30 ms
sync-in-loop app.cu:35, 2 times, blocked 40 ms, lost 0 (0 to 0) ms, folded
  at 30 ms for 20 ms: call 7 operation 5 cause 4, stream 20 ms
  at 80 ms for 20 ms: call 14 operation 9 cause 8, stream 20 ms
