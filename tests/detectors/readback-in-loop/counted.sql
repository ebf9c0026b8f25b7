-- Ten times fifteen of the steps in steps.sql, and behind them a kernel of 1 ms: 2995 ms. Each step tells its kernel
-- its number in its fifteen, from 1 on, so not the value. With the last read alone the device needs 15 x 10 + 1 ms for
-- each fifteen, and what comes behind the last kernel takes 4 ms: 1 + 10 x 150 + 9 + 4 = 1514 ms, 1481 less. At the low
-- end, from the second fifteen on, reads whose next step is as the one before are a step late: all but the first,
-- behind which a step comes without the kernel of 1 ms, and the last. The first step takes 20 ms, the next ones 11
-- each, up to the last one's copy 1 + 14 x 11 ms behind it, and the host's 8: 183 of 300 ms. Nine times: 1053 less.
CREATE TEMP TABLE step AS SELECT n i, n * 20 at FROM number WHERE n < 150;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40, at, at + 1, at + 1, at + 11, NULL, NULL FROM step;
INSERT INTO operation
  SELECT 'd2h', 'pageable', 13, 41, at + 1, at + 2, at + 11, at + 12, 1000000, 60000000 FROM step;
INSERT INTO call SELECT 'cudaStreamSynchronize', 13, NULL, 42, at + 2, at + 12 FROM step;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 44, at + 13, at + 14, at + 14, at + 15, NULL, NULL FROM step WHERE i % 15 = 14;
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
UPDATE calls SET numbers = 1 + (start_ns - 1000000000) / 20000000 % 15 WHERE site_id = 40;
DROP TABLE step;
-- Found:
wall 2995 ms, overlapped 0 ms, lost 1481 (1053 to 1481) ms, replayed 2995 ms
readback-in-loop app.cu:41, 150 times, blocked 1650 ms, lost 1481 (1053 to 1481) ms
  at 1 ms for 11 ms: call 3 operation 2 cause 2, stream 10 ms
  at 21 ms for 11 ms: call 6 operation 4 cause 4, stream 10 ms
  at 41 ms for 11 ms: call 9 operation 6 cause 6, stream 10 ms
not seen: sync-in-loop: 150 1.5
not seen: kernel arguments: 10 160
