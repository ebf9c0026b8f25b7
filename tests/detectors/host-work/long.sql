-- Nine steps of 100 us: a copy of 30 us, then line 44 works for 100 us: that is long enough. Three workers: copies 1 to
-- 3 end at 190 us, 4 to 6 at 290, 7 and 8, which are ready at 300, at 360; without them 830 us: 470 saved.
UPDATE rounds SET times = 9, ms = 0.1;
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 40, 0, 0, 0, 0.03, 1000000, 50000000);
UPDATE rounds SET times = 8;
INSERT INTO host_state VALUES (100, 'running', 44, 0, 0.1, 0, 0, NULL);
-- Found:
wall 0.83 ms, overlapped 0 ms, lost 0.47 (0 to 0.47) ms, replayed 0.83 ms
host-work app.cu:44, 8 times, blocked 0.56 ms, lost 0.47 (0 to 0.47) ms
  at 0.03 ms for 0.07 ms: call 2 operation 2
  at 0.13 ms for 0.07 ms: call 3 operation 3
  at 0.23 ms for 0.07 ms: call 4 operation 4
