-- The host reads the first result at 88, behind the wait at the end, which waits for it once more: the first
-- wait can go. The second chunk then begins 5 ms after the first, as in removable.sql: 25 ms less.
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (2, 2, 14, 40, 45, 45, 55, 75);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', 7, NULL, 44, 46, 85);
INSERT INTO first_use (call, wait, kind, touch, line, bytes) VALUES
  (3, 40, 1, 88, 90, 1000000), (7, 85, 0, NULL, NULL, 1000000);
