-- The same steps, but every other one enqueues a kernel more, as the value may have said: nothing is found.
-- Base: readback-in-loop/steps.sql
CREATE TEMP TABLE step AS SELECT n * 20 at FROM number WHERE n < 10;
UPDATE rounds SET times = 1;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 44, at + 13, at + 14, at + 14, at + 15, NULL, NULL
  FROM step WHERE at / 20 % 2;
-- Found:
wall 195 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 195 ms
not seen: sync-in-loop: 10 100
