-- As nvrtc.sql, but only the first three steps compile: start-up.
-- Base: scenes/host-steps.sql
UPDATE rounds SET times = 3;
INSERT INTO stack VALUES (104, 0, NULL, NULL, 'nvrtcCompileProgram', '/usr/local/cuda/lib64/libnvrtc.so.12'),
  (104, 0, '/home/u/train.py', 43, 'main', NULL);
INSERT INTO host_state VALUES (100, 'running', 104, 0, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 83 ms
