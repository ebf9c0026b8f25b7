-- Three chunks with buffers of their own, all in one stream: 3 x (10 + 20 + 10) = 120 ms. In streams
-- of their own: 10 + 3 x 20 + 10 = 80.
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 30, 0, 0, 10, 30),
  (2, 2, 13, 30, 0, 40, 50, 70),
  (3, 3, 13, 30, 0, 80, 90, 110);
