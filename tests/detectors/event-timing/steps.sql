-- Five steps, 21 ms each: a copy in (10 ms) in a stream, a kernel (10 ms) in another one behind it. Each step
-- waits for its end and reads its time (1 ms). Without the waits the copies run one behind the other and each
-- kernel behind its copy: 60 ms, and the last wait stays with its read: 61 of 105 ms. 44 ms are lost.
-- Base: scenes/inputs.sql
INSERT INTO operation VALUES ('kernel', NULL, 24, 73, 0, 0, 10, 20, NULL, NULL);
INSERT INTO call VALUES
  ('cudaEventRecord', 24, 500, 74, 0, 0),
  ('cudaEventSynchronize', NULL, 500, 75, 1, 20),
  ('cudaEventElapsedTime', NULL, 500, 76, 20, 21);
-- Found:
wall 105 ms, overlapped 0 ms, lost 44 (44 to 44) ms, replayed 105 ms
event-timing app.cu:75, 4 times, blocked 76 ms, lost 44 (44 to 44) ms
  at 1 ms for 19 ms: call 6 operation 3 cause 2, stream 19 ms
  at 22 ms for 19 ms: call 13 operation 5 cause 4, stream 19 ms
  at 43 ms for 19 ms: call 20 operation 7 cause 6, stream 19 ms
