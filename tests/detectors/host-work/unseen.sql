-- Steps of 1 ms, and looks 4 ms apart: they found the thread in prepare() in four of the eight gaps, which are alike
-- between the same two calls. The others count as these. Eight workers have all batches ready at 1 ms: 1 + 8 x 0.1 of
-- 8.1 ms. Seven make the last one by 2 ms: 2 + 0.1, 6 ms less, 95 % of that. The low end is for four: 2 + 4 x 0.1.
UPDATE rounds SET times = 9, ms = 1;
INSERT INTO metadata VALUES ('host_cpus', '16'), ('host_look_ns', '4000000');
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 40, 0, 0, 0, 0.1, 1000000, 50000000);
UPDATE rounds SET times = 4;
INSERT INTO host_state VALUES (100, 'running', 44, 0, 1, 0, 0, NULL);
-- Found:
wall 8.1 ms, overlapped 0 ms, lost 6 (5.7 to 6.3) ms, replayed 8.1 ms
host-work app.cu:44, 8 times, blocked 7.2 ms, lost 6 (5.7 to 6.3) ms
  at 0.1 ms for 0.9 ms: call 2 operation 2
  at 1.1 ms for 0.9 ms: call 3 operation 3
  at 2.1 ms for 0.9 ms: call 4 operation 4
