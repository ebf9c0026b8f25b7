-- Nine steps of 10 ms: a kernel of 3 ms, launched by line 41 through PyTorch, and then no call. The thread runs in a
-- function of PyTorch below line 41, which ends in the next launch: that is what the launch takes, and no work that
-- others could do for it. Of the GPU's idle 8 x 7 ms nothing is a finding.
UPDATE rounds SET times = 9, ms = 10;
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 0, 0, 0, 3, NULL, NULL);
UPDATE modules SET path = '/usr/bin/python3.12';
UPDATE frames SET file = NULL, line = NULL;
INSERT INTO stack VALUES (41, 0, '/usr/lib/python3/dist-packages/torch/nn/modules/linear.py', 134, 'forward', NULL),
  (41, 1, '/home/u/train.py', 41, 'main', NULL),
  (101, 0, '/usr/lib/python3/dist-packages/torch/nn/modules/module.py', 1790, '_call_impl', NULL),
  (101, 1, '/home/u/train.py', 41, 'main', NULL);
UPDATE rounds SET times = 8;
INSERT INTO host_state VALUES (100, 'running', 101, 0, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 83 ms
