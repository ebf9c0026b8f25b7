-- Three steps: ten copies of 1 kB, 10 us each in the call, and a kernel behind them.
INSERT INTO metadata VALUES
  ('pinned_h2d_bytes_per_s', '1000000000'), ('pinned_h2d_latency_ns', '0');
CREATE TEMP TABLE step AS SELECT n FROM number WHERE n < 3;
CREATE TEMP TABLE piece AS SELECT n k FROM number WHERE n < 10;
INSERT INTO operation
  SELECT 'h2d', 'pinned', 13, 40, at, at + 0.01, at + 0.012, at + 0.013, 1000000 + k * 5000,
  60000000 + k * 1000 FROM (SELECT k, n * 0.22 + k * 0.01 at FROM step, piece ORDER BY at);
UPDATE rounds SET times = 3, ms = 0.22;
INSERT INTO operation VALUES ('kernel', NULL, 13, 50, 0.1, 0.11, 0.112, 0.212, NULL, NULL);
