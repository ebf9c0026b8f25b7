-- As launch-path.sql, but PyTorch's function calls the program's, which runs: what a loader decodes is
-- work. The numbers are callee.sql's without its copies.
-- Base: host-work/launch-path.sql
INSERT INTO stack VALUES (102, 0, '/home/u/decode.py', 7, 'decode', NULL),
  (102, 1, '/usr/lib/python3/dist-packages/torch/nn/modules/module.py', 1790, '_call_impl', NULL),
  (102, 2, '/home/u/train.py', 41, 'main', NULL);
UPDATE host_states SET site_id = 102;
-- Found:
wall 83 ms, overlapped 0 ms, lost 47 (0 to 47) ms, replayed 83 ms
host-work /home/u/train.py:41, 8 times, blocked 56 ms, lost 47 (0 to 47) ms
  at 3 ms for 7 ms: call 2 operation 2
  at 13 ms for 7 ms: call 3 operation 3
  at 23 ms for 7 ms: call 4 operation 4
