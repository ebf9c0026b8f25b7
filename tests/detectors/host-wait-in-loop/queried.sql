-- Nine steps of 10 ms: a kernel of 3 ms, whose event the thread queries at 0.1 ms and, behind a sleep in line 44, at
-- 9.9 ms. Without the sleep the second query returns when the kernel ends: 9 x 6.9 = 62.1 ms less. No kernel follows the
-- ninth, but the run ends with its query.
UPDATE rounds SET times = 9, ms = 10;
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 0, 0, 0, 3, NULL, NULL);
INSERT INTO call VALUES ('cudaEventRecord', 13, 900, 42, 0, 0), ('cudaEventQuery', NULL, 900, 43, 0.1, 0.1),
  ('cudaEventQuery', NULL, 900, 45, 9.9, 9.9);
UPDATE calls SET result = 600 WHERE site_id = 43;
INSERT INTO host_state VALUES (100, 'asleep', 44, 0.1, 9.9, 0, 0, NULL);
-- Found:
wall 89.9 ms, overlapped 0 ms, lost 62.1 (62.1 to 62.1) ms, replayed 89.9 ms
host-wait-in-loop app.cu:44, 9 times, blocked 62.1 ms, lost 62.1 (62.1 to 62.1) ms
  at 3 ms for 6.9 ms: call 4 operation 2
  at 13 ms for 6.9 ms: call 8 operation 3
  at 23 ms for 6.9 ms: call 12 operation 4
