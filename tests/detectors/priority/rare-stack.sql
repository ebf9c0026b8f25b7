-- Near-miss: as rare.sql, but main() calls what makes the three launches that wait another way: they are the line's
-- all the same.
-- Base: priority/rare.sql
INSERT INTO call_sites VALUES (130, 2);
INSERT INTO frames (site_id, depth, module_id, offset, function, file, line) VALUES
  (130, 0, 1, 30, '_Z3runv', 'app.cu', 30), (130, 1, 1, 500, 'main', 'app.cu', 95);
UPDATE calls SET site_id = 130 WHERE site_id = 30 AND stream_handle = 2400;
-- Found:
wall 66.5 ms, overlapped 1 ms, lost 6.49858 (0 to 6.49858) ms, replayed 69.8 ms
sync-in-loop app.cu:32, 1 times, blocked 19.5 ms, lost 6.49858 (0 to 6.49858) ms
  at 1 ms for 19.5 ms: call 6 operation 5 cause 4, stream 19.5 ms
not seen: sync-in-loop: 4 42
