-- Ten steps of 30 us: a launch of 4 us, whose kernel runs from 6 to 16, and behind 8 us of the host's own time
-- torch.cuda.synchronize() from 12 to 20; then 10 us until the next launch. Of the two times around the wait one is what
-- PyTorch does for any call: without the first nine waits the longer one stays, and a step takes 4 + 10 us, 126 for
-- nine; the last wait ends at 126 + 16 + 4 = 146 us instead of 290. At the high end the shorter one stays: 108 + 20 us. At
-- the low end both do: 198 + 20 us.
INSERT INTO metadata VALUES ('python', 'on: 3.12.3');
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 41, 0.001 * 30 * n, 0.001 * (30 * n + 4), 0.001 * (30 * n + 6),
  0.001 * (30 * n + 16), NULL, NULL FROM number WHERE n < 10;
INSERT INTO call
  SELECT 'cudaDeviceSynchronize', NULL, NULL, 42, 0.001 * (30 * n + 12), 0.001 * (30 * n + 20)
  FROM number WHERE n < 10;
INSERT INTO python_frames (site_id, depth, file, line, function) VALUES
  (42, 0, '/usr/lib/python3/dist-packages/torch/cuda/__init__.py', 1040, 'synchronize'),
  (42, 1, 'train.py', 42, 'step');
-- Found:
wall 0.29 ms, overlapped 0 ms, lost 0.144 (0.072 to 0.162) ms, replayed 0.29 ms
sync-in-loop app.cu:42, 9 times, blocked 0.036 ms, lost 0.144 (0.072 to 0.162) ms
  at 0.012 ms for 0.004 ms: call 2 operation 2 cause 1, other streams 0.004 ms
  at 0.042 ms for 0.004 ms: call 4 operation 3 cause 2, other streams 0.004 ms
  at 0.072 ms for 0.004 ms: call 6 operation 4 cause 3, other streams 0.004 ms
  fix: the other one
