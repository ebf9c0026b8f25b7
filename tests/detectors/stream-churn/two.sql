-- A function that is called three times, 20 ms each: it creates two events (1 ms each), runs a kernel (10 ms), waits
-- for it, and destroys both (1 ms each). Kept, both save two creations and two destructions: 8 of 58 ms.
CREATE TEMP TABLE round AS SELECT 20 * n at FROM number WHERE n < 3;
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventCreateWithFlags', NULL, 500 + e, 70, at + e, at + e + 1
  FROM round, (SELECT 0 e UNION ALL SELECT 1) ORDER BY at, e;
UPDATE rounds SET times = 3, ms = 20;
INSERT INTO operation VALUES ('kernel', NULL, 23, 72, 3, 3, 3, 13, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 23, NULL, 74, 4, 13);
UPDATE rounds SET times = 1;
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventDestroy', NULL, 500 + e, 76, at + 16 + e, at + 17 + e
  FROM round, (SELECT 0 e UNION ALL SELECT 1) ORDER BY at, e;
DROP TABLE round;
-- Found:
wall 58 ms, overlapped 0 ms, lost 20 (20 to 20) ms, replayed 58 ms
sync-in-loop app.cu:74, 2 times, blocked 18 ms, lost 18 (18 to 18) ms
  at 4 ms for 9 ms: call 4 operation 2 cause 1, stream 9 ms
  at 24 ms for 9 ms: call 10 operation 3 cause 2, stream 9 ms
stream-churn app.cu:70, 4 times, blocked 4 ms, lost 8 (8 to 8) ms
  in the order of the list: 2 ms
  at 20 ms for 1 ms: call 7
  at 21 ms for 1 ms: call 8
  at 40 ms for 1 ms: call 13
  fix: the other one
