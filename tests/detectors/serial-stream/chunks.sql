-- Three chunks with buffers of their own, all in one stream: 3 x (10 + 20 + 10) = 120 ms. In streams
-- of their own: 10 + 3 x 20 + 10 = 80.
INSERT INTO chunk VALUES
  (1, 1, 13, 30, 0, 0, 10, 30),
  (2, 2, 13, 30, 0, 40, 50, 70),
  (3, 3, 13, 30, 0, 80, 90, 110);
-- Found:
wall 120 ms, overlapped 0 ms, lost 40 (40 to 40) ms, replayed 120 ms
serial-stream app.cu:30, 2 times, blocked 60 ms, lost 40 (40 to 40) ms
  at 10 ms for 30 ms: operation 4 cause 3
  at 50 ms for 30 ms: operation 7 cause 6
