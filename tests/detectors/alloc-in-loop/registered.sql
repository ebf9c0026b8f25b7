-- As hot.sql, but the calls register the same memory of the program's again and again, and give it back.
INSERT INTO functions (id, name, class) VALUES (20, 'cudaMallocHost', 'host-alloc'), (21, 'cudaFreeHost', 'host-free');
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaMalloc', NULL, NULL, 70, 20 * n, 20 * n + 2 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 7, 72, 20 * n + 2, 20 * n + 2, 20 * n + 2, 20 * n + 12, NULL, NULL FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pinned', 7, 73, 20 * n + 3, 20 * n + 15, 20 * n + 12, 20 * n + 15, 11000000, 61000000
  FROM round;
INSERT INTO made_by VALUES (73, 'cudaMemcpy');
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaFree', NULL, NULL, 74, 20 * n + 15, 20 * n + 19 FROM round;
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;
INSERT INTO functions (id, name, class) VALUES (22, 'cudaHostRegister', 'register'), (23, 'cudaHostUnregister', 'unregister');
INSERT INTO made_by VALUES (70, 'cudaHostRegister'), (74, 'cudaHostUnregister');
