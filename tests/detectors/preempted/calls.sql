-- Nine steps of 10 ms: a launch takes 6 ms, of which the thread has no processor for 5; the kernel of 2 ms starts when it
-- returns. Without the 5 ms in each launch but the first, before which the GPU had nothing: 8 x 5 = 40 of 88 ms less.
UPDATE rounds SET times = 9, ms = 10;
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 0, 6, 6, 8, NULL, NULL);
INSERT INTO host_state VALUES (100, 'running', 41, 0, 6, 5, 0, NULL);
-- Found:
wall 88 ms, overlapped 0 ms, lost 40 (40 to 40) ms, replayed 88 ms
preempted app.cu:41, 8 times, blocked 40 ms, lost 40 (40 to 40) ms
  at 10 ms for 5 ms: call 2 operation 2
  at 20 ms for 5 ms: call 3 operation 3
  at 30 ms for 5 ms: call 4 operation 4
