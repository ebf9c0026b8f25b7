-- As control.sql, but behind each kernel that waits the line launches eleven more in its stream, 40 us each: those run
-- beside the large kernel's last wave, and do not make the waits rare.
-- Base: scenes/h100.sql
INSERT INTO threads VALUES (101, 'app');
INSERT INTO operation VALUES
  ('kernel', NULL, 23, 20, 0, 0,  0, 20, NULL, NULL),
  ('kernel', NULL, 23, 20, 0, 0, 20, 40, NULL, NULL),
  ('kernel', NULL, 23, 20, 0, 0, 40, 60, NULL, NULL);
CREATE TABLE step (enter, start);
INSERT INTO step VALUES (1, 19), (21, 39), (41, 59), (61, 61), (63, 63), (65, 65);
WITH RECURSIVE link(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM link WHERE k < 11)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 24, 30, enter, enter, start + iif(k, 0.36 + k * 0.04, 0), start + 0.4 + k * 0.04, NULL, NULL
  FROM step, link ORDER BY enter, k;
INSERT INTO operation
  SELECT 'd2h', 'pinned', 24, 31, enter, enter, start + 1, start + 1.5, 11000000, 61000000
  FROM step;
INSERT INTO call SELECT 'cudaStreamSynchronize', 24, NULL, 32, enter, start + 1.5 FROM step;
DROP TABLE step;
UPDATE operations SET grid_x = iif(stream_id = 23, 82368, 1), grid_y = 1, grid_z = 1,
  block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0 WHERE kind = 1;
UPDATE calls SET thread_id = 101 WHERE site_id >= 30;
-- Found:
wall 66.5 ms, overlapped 1 ms, lost 6.48399 (6.48399 to 6.48399) ms, replayed 66.5 ms
priority app.cu:30, 3 times, blocked 51 ms, lost 6.48399 (6.48399 to 6.48399) ms
  at 2 ms for 17 ms: operation 2 cause 1
  at 22 ms for 17 ms: operation 16 cause 14
  at 42 ms for 17 ms: operation 30 cause 28
sync-in-loop app.cu:32, 1 times, blocked 19.5 ms, lost 0 (0 to 0) ms, folded
  at 1 ms for 19.5 ms: call 17 operation 16 cause 15, stream 19.5 ms
not seen: sync-in-loop: 4 42
