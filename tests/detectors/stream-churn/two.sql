-- A function that is called three times, 20 ms each: it creates two events (1 ms each), runs a kernel (10 ms), waits
-- for it, and destroys both (1 ms each). Kept, both save two creations and two destructions: 8 of 58 ms.
INSERT INTO functions (id, name, class) VALUES (20, 'cudaStreamDestroy', 'stream-destroy'), (21, 'cudaEventCreateWithFlags', 'event-create'),
  (22, 'cudaEventDestroy', 'event-destroy');
CREATE TEMP TABLE round AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2)
  SELECT 20 * i at FROM n;
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventCreateWithFlags', NULL, 500 + e, 70, at + e, at + e + 1
  FROM round, (SELECT 0 e UNION ALL SELECT 1) ORDER BY at, e;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 23, 72, at + 3, at + 3, at + 3, at + 13, NULL, NULL FROM round;
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 23, NULL, 74, at + 4, at + 13 FROM round;
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventDestroy', NULL, 500 + e, 76, at + 16 + e, at + 17 + e
  FROM round, (SELECT 0 e UNION ALL SELECT 1) ORDER BY at, e;
DROP TABLE round;
