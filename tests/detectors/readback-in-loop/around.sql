-- Ten steps of 100 us: a launch of 5 us, 15 us later a copy of 4 bytes back in 10 us, a synchronize of 2 us right
-- behind it, and the host's own work for 68 us. Without nine of the reads 12 us each are gone; at the high end what
-- the host does before and behind them, too: 95.
CREATE TEMP TABLE step AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
  SELECT i * 0.1 at FROM n;
INSERT INTO operation (what, stream, line, enter, leave, start, end)
  SELECT 'kernel', 13, 40, at, at + 0.005, at + 0.006, at + 0.007 FROM step;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pageable', 13, 41, at + 0.02, at + 0.03, at + 0.027, at + 0.028, 1000000, 60000000 FROM step;
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 13, NULL, 42, at + 0.03, at + 0.032 FROM step;
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
DROP TABLE step;
