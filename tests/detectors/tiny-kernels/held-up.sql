-- Near-miss: eight times four launches, each 6 us in the call, with kernels of 30 us, which hide the launches behind
-- the first. In two of the eight the host is held up for 54 us before each launch: the GPU is idle for a seventh of
-- all the time, but not in most of the sequences.
CREATE TEMP TABLE step AS SELECT n, iif(n IN (2, 5), 0.06, 0.01) apart, iif(n IN (2, 5), 0.06, 0.03) kernels_apart FROM number WHERE n < 8;
CREATE TABLE kernel AS SELECT 0 k UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3;
INSERT INTO strings SELECT 10 + k, printf('_Z5step%dv', k) FROM kernel;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40 + k, at, at + 0.006, begin, begin + 0.03, NULL,
  NULL FROM (SELECT k, n * 0.3 + k * apart at,
  n * 0.3 + k * kernels_apart + 0.008 begin FROM step, kernel ORDER BY at);
UPDATE operations SET name_id = (SELECT site_id - 30 FROM calls c WHERE c.correlation_id = operations.correlation_id);
DROP TABLE step;
DROP TABLE kernel;
-- Found:
wall 2.228 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 2.228 ms
