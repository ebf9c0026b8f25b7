-- Ten steps of 100 ms: a kernel of 40 ms, and behind it three lines that each launch a kernel of 4 ms, read its 4 bytes
-- and work for 1 ms, the last for 40 ms: 960 ms without the last work. Without 29 of the 30 reads the host needs 46 ms a
-- step and the device 52: 1 + 10 x 52 + 1 = 522 ms, 438 less. Each line alone saves little, for the next one waits then:
-- 45, 27 and 27 ms were said. At the low end the host waits for each line's copy before, and the device needs 55 ms a
-- step; but the first two reads stay, for no step is known that is as the ones behind them: the second step begins at 95
-- ms, 96 + 9 x 55 + 1 = 592 ms.
UPDATE rounds SET times = 10, ms = 100;
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 40, 0, 1, 1, 41, NULL, NULL),
  ('kernel', NULL, 13, 43, 1, 2, 41, 45, NULL, NULL),
  ('d2h', 'pageable', 13, 44, 2, 46, 45, 46, 1000000, 60000000),
  ('kernel', NULL, 13, 45, 47, 48, 48, 52, NULL, NULL),
  ('d2h', 'pageable', 13, 46, 48, 53, 52, 53, 1000000, 60000000),
  ('kernel', NULL, 13, 47, 54, 55, 55, 59, NULL, NULL),
  ('d2h', 'pageable', 13, 48, 55, 60, 59, 60, 1000000, 60000000);
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
-- Found:
wall 960 ms, overlapped 0 ms, lost 438 (368 to 439) ms, replayed 960 ms
readback-in-loop app.cu:44, 30 times, blocked 540 ms, lost 438 (368 to 438) ms
  site app.cu:44, 10 times, blocked 440 ms
  site app.cu:46, 10 times, blocked 50 ms
  site app.cu:48, 10 times, blocked 50 ms
  at 2 ms for 44 ms: call 3 operation 3 cause 3, stream 43 ms, copy 1 ms
  at 102 ms for 44 ms: call 10 operation 10 cause 10, stream 43 ms, copy 1 ms
  at 202 ms for 44 ms: call 17 operation 17 cause 17, stream 43 ms, copy 1 ms
pageable-copy app.cu:44, 30 times, blocked 540 ms, lost 0 (0 to 439) ms
  site app.cu:44, 10 times, blocked 440 ms
  site app.cu:46, 10 times, blocked 50 ms
  site app.cu:48, 10 times, blocked 50 ms
  at 2 ms for 44 ms: call 3 operation 3 cause 2, stream 43 ms, copy 1 ms
  at 102 ms for 44 ms: call 10 operation 10 cause 9, stream 43 ms, copy 1 ms
  at 202 ms for 44 ms: call 17 operation 17 cause 16, stream 43 ms, copy 1 ms
  fix: the other one
not seen: pinned copies:
