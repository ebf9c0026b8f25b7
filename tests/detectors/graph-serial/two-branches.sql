-- As branches.sql, but of four independent nodes: the first and third stay, and the second and fourth run beside
-- them. 2 x 20 ms instead of 2 x 40; one more stream mends both lines.
-- Base: graph-serial/branches.sql
INSERT INTO allocation VALUES (53000000, 1000000), (54000000, 1000000);
UPDATE launch_arguments SET address = 49000000 + 1000000 * id;
-- Found:
wall 80 ms, overlapped 0 ms, lost 40 (40 to 40) ms, replayed 80 ms
graph-serial app.cu:74, 4 times, blocked 60 ms, lost 40 (40 to 40) ms
  site app.cu:74, 2 times, blocked 40 ms
  site app.cu:72, 2 times, blocked 20 ms
  at 10 ms for 20 ms: operation 4 cause 3
  at 50 ms for 20 ms: operation 8 cause 7
  at 0 ms for 10 ms: operation 2 cause 1
