-- Twenty steps of 100 us in PyTorch: four kernels of 1 us, of which the calls take 10 us each, and one of 20 us (41 to 61 us),
-- for which the host waits; then it works for 39 us: 1961 us. A graph's last kernel ends 30.5 us behind its call (2.5 + 2 +
-- 24 + 4 x 0.5), which saves 20 x 30.5 = 610; without 19 waits it is 380 us less. But a step with a wait in it cannot be
-- captured, so the wait comes first. Both: 19 x 41.5 + 30.5 = 819, so the graph adds 1961 - 819 - 380 = 762.
UPDATE rounds SET times = 20, ms = 0.1;
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 40, 0,    0.006, 0.008, 0.009, NULL, NULL),
  ('kernel', NULL, 13, 41, 0.01, 0.016, 0.018, 0.019, NULL, NULL),
  ('kernel', NULL, 13, 42, 0.02, 0.026, 0.028, 0.029, NULL, NULL),
  ('kernel', NULL, 13, 43, 0.03, 0.036, 0.038, 0.039, NULL, NULL),
  ('kernel', NULL, 13, 44, 0.036, 0.041, 0.041, 0.061, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 50, 0.041, 0.061);
INSERT INTO strings SELECT 10 + n, printf('_Z5step%dv', n) FROM number WHERE n < 5;
UPDATE operations SET name_id = (SELECT site_id - 30 FROM calls c WHERE c.correlation_id = operations.correlation_id);
INSERT INTO python_frames (site_id, depth, file, line, function)
  SELECT n, 0, '/home/a/venv/lib/python3.12/site-packages/torch/_tensor.py', 9, 'add' FROM number WHERE n BETWEEN 40 AND 50
  UNION ALL SELECT n, 1, 'train.py', n, 'step' FROM number WHERE n BETWEEN 40 AND 50;
UPDATE modules SET path = '/home/a/venv/lib/python3.12/site-packages/torch/lib/libtorch_cuda.so';
UPDATE frames SET file = NULL, line = NULL;
-- Found:
wall 1.961 ms, overlapped 0 ms, lost 1.142 (1.13 to 1.142) ms, replayed 1.961 ms
sync-in-loop train.py:50, 19 times, blocked 0.38 ms, lost 0.38 (0.38 to 0.38) ms
  at 0.041 ms for 0.02 ms: call 6 operation 6 cause 5, stream 0.02 ms
  at 0.141 ms for 0.02 ms: call 12 operation 11 cause 10, stream 0.02 ms
  at 0.241 ms for 0.02 ms: call 18 operation 16 cause 15, stream 0.02 ms
tiny-kernels train.py:40, 20 times, blocked 1.22 ms, lost 0.61 (0.56 to 0.61) ms
  in the order of the list: 0.762 ms
  at 0 ms for 0.061 ms: call 1 operation 5
  at 0.1 ms for 0.061 ms: call 7 operation 10
  at 0.2 ms for 0.061 ms: call 13 operation 15
