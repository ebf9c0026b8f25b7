-- As prepares.sql without the copies: what the host does between the kernels does not go to the device.
WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 4)
INSERT INTO operation (what, stream, line, enter, leave, start, end)
SELECT 'kernel', 13, 41, 6 * n, 6 * n, 6 * n, 6 * n + 3 FROM s;
WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 4)
INSERT INTO call (function, stream, line, enter, leave)
SELECT 'cudaStreamSynchronize', 13, 42, 6 * n, 6 * n + 3 FROM s;
