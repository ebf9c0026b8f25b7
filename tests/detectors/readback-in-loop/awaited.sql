-- Thirty steps of 20 ms: a kernel of 10 ms, a synchronize of the device that waits for it, a cudaMemcpy of 4 bytes that
-- takes 2 ms (the copy itself 1), and 7 ms of the host's own: 593 ms without the last work. With the last read alone the
-- host needs 8 ms a step and the device 10: 1 + 30 x 10 + 2 = 303 ms, 290 less. With each tenth read ten kernels, a read
-- and the host's 8 ms take 110 ms: 2 x 110 + 1 + 100 + 2 = 323, 270 less. Where the host waits for the copy before, the
-- device needs 12 ms a step: the copy and the kernel behind it start 1 ms late. 1 + 30 x 12 = 361, 232 less, which
-- is the low end. Without the
-- synchronize in the read 18 of ten steps were said.
UPDATE rounds SET times = 30, ms = 20;
INSERT INTO operation VALUES ('kernel', NULL, 13, 40, 0, 1, 1, 11, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 42, 1, 11);
INSERT INTO operation VALUES ('d2h', 'pageable', 7, 41, 11, 13, 12, 13, 1000000, 60000000);
INSERT INTO made_by VALUES (41, 'cudaMemcpy');
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
-- Found:
wall 593 ms, overlapped 0 ms, lost 290 (232 to 291) ms, replayed 593 ms
readback-in-loop app.cu:41, 30 times, blocked 360 ms, lost 290 (232 to 290) ms
  at 1 ms for 12 ms: call 3 operation 2 cause 2, copy 1 ms
  at 21 ms for 12 ms: call 6 operation 4 cause 4, copy 1 ms
  at 41 ms for 12 ms: call 9 operation 6 cause 6, copy 1 ms
pageable-blocking app.cu:41, 30 times, blocked 60 ms, lost 0 (0 to 30) ms
  at 11 ms for 2 ms: call 3 operation 2, copy 1 ms
  at 31 ms for 2 ms: call 6 operation 4, copy 1 ms
  at 51 ms for 2 ms: call 9 operation 6, copy 1 ms
not seen: pinned copies:
