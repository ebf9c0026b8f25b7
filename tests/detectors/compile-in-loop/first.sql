-- As nvrtc.sql, but the first gap is 100 ms longer, all of it in NVRTC: that compilation is needed, whatever the later ones
-- are. Without those seven the GPU is idle for the first gap's 107 ms alone: 49 of 183 ms.
-- Base: scenes/host-steps.sql
INSERT INTO stack VALUES (104, 0, NULL, NULL, 'nvrtcCompileProgram', '/usr/local/cuda/lib64/libnvrtc.so.12'),
  (104, 0, '/home/u/train.py', 43, 'main', NULL);
INSERT INTO host_state VALUES (100, 'running', 104, 0, 6, 0, 0, NULL),
  (100, 'running', 100, 6, 10, 0, 0, NULL);
UPDATE calls SET start_ns = start_ns + 100000000, end_ns = end_ns + 100000000
  WHERE start_ns >= (SELECT min(start_ns) + 5000000 FROM calls);
UPDATE operations SET start_ns = start_ns + 100000000, end_ns = end_ns + 100000000
  WHERE start_ns >= (SELECT min(start_ns) + 5000000 FROM operations);
UPDATE host_states SET end_ns = end_ns + 100000000;
UPDATE host_states SET start_ns = start_ns + 100000000 WHERE start_ns > (SELECT min(start_ns) FROM host_states);
-- Found:
wall 183 ms, overlapped 0 ms, lost 56 (49 to 56) ms, replayed 183 ms
compile-in-loop /home/u/train.py:43, 7 times, blocked 49 ms, lost 49 (49 to 49) ms
  at 113 ms for 7 ms: call 5 operation 5
  at 123 ms for 7 ms: call 7 operation 7
  at 133 ms for 7 ms: call 9 operation 9
serial-stream /home/u/train.py:40, 7 times, blocked 14 ms, lost 7 (0 to 7) ms, with the others fixed
  at 111 ms for 2 ms: operation 5 cause 4
  at 114 ms for 2 ms: operation 7 cause 6
  at 117 ms for 2 ms: operation 9 cause 8
  fix: the other one
