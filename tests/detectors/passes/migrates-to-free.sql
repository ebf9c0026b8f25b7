-- The wait of 39 ms goes on in the cudaFree behind it (line 44), which waits for all work of the device and
-- here returned at once: alone the synchronize's fix saves nothing. With both fixed the copy of line 45 runs
-- from 10 to 20 ms, inside of the chunk: 10 of 50 ms.
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1, 40),
  ('cudaFree', NULL, NULL, 44, 40, 40);
UPDATE calls SET dst = 90000000 WHERE site_id = 44;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 14, 45, 40, 40, 40, 50, 2000000, 52000000);
