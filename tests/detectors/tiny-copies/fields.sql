-- Three steps: ten copies of 1 kB, 10 us each in the call and 1 us on the device, 2 us behind the call; then a
-- kernel of 100 us, launched in 10 us and started 2 us behind that, and a wait for it. At 1 GB/s one copy of 10 kB takes
-- 10 us: it would end when the kernel starts. Nine calls less are 90 us a step, but for 1.25 us to
-- gather 10 kB at 8 GB/s: 3 x 88.75 us. At the low end gathering takes 2.5 us, and the last kernel starts 1.1 us later: 261.4; at the
-- high end gathering takes nothing. The pieces lie beside each other on the device.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '1000000000'), ('pinned_h2d_latency_ns', '0');
CREATE TEMP TABLE step AS WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 2) SELECT n FROM s;
CREATE TEMP TABLE piece AS WITH RECURSIVE s(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM s WHERE k < 9) SELECT k FROM s;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
SELECT 'h2d', 'pinned', 13, 40, at, at + 0.01, at + 0.012, at + 0.013, 1000000 + k * 5000, 60000000 + k * 1000
FROM (SELECT k, n * 0.22 + k * 0.01 at FROM step, piece ORDER BY at);
INSERT INTO operation (what, stream, line, enter, leave, start, end)
SELECT 'kernel', 13, 50, n * 0.22 + 0.1, n * 0.22 + 0.11, n * 0.22 + 0.112, n * 0.22 + 0.212 FROM step;
UPDATE operations SET size_bytes = 1000 WHERE kind = 2;
UPDATE calls SET size_bytes = 1000 WHERE size_bytes IS NOT NULL;
