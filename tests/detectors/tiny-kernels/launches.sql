-- Five times four launches, 10 us each with 6 us in the call; a kernel of 1 us starts 2 us after each. From
-- step to step it is 50 us: 239 us in all. As a graph: the call 2.5 us and 14 us to the next one, so the last
-- begins at 66; its kernels start 2 us behind it, 0.5 us apart, and end at 76: 163 us less. At the low end
-- the call takes 2.8 us and 1 us is between the kernels: 4 x 16.8 + 2.8 + 2 + 4 + 3 = 79.
CREATE TEMP TABLE step AS SELECT n FROM number WHERE n < 5;
CREATE TABLE kernel AS SELECT 0 k UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3;
INSERT INTO strings SELECT 10 + k, printf('_Z5step%dv', k) FROM kernel;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40 + k, at, at + 0.006, at + 0.008, at + 0.009, NULL, NULL
  FROM (SELECT k, n * 0.05 + k * 0.01 at FROM step, kernel ORDER BY at);
UPDATE operations SET name_id = (SELECT site_id - 30 FROM calls c WHERE c.correlation_id = operations.correlation_id);
DROP TABLE step;
DROP TABLE kernel;
-- Found:
wall 0.239 ms, overlapped 0 ms, lost 0.163 (0.16 to 0.163) ms, replayed 0.239 ms
tiny-kernels app.cu:40, 5 times, blocked 0.195 ms, lost 0.163 (0.16 to 0.163) ms
  at 0 ms for 0.039 ms: call 1 operation 4
  at 0.05 ms for 0.039 ms: call 5 operation 8
  at 0.1 ms for 0.039 ms: call 9 operation 12
