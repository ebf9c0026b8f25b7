-- The host reads the result 11 ms after its wait, behind a kernel of other work, and the next chunk comes
-- after that read. The wait can move by as much: the kernel then runs 2 to 12 (1 ms of the host's after
-- the calls that no longer wait), the first chunk's 12 to 32, its copy out ends at 42, and what follows
-- the read comes at 42 instead of 51. Were the read not seen it could come at 12.
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 14, 50, 41, 41, 41, 51, NULL, NULL);
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (2, 2, 14, 40, 51, 51, 61, 81);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', 7, NULL, 44, 52, 91);
INSERT INTO first_use (call, wait, kind, touch, line, bytes) VALUES
  (3, 40, 1, 51, 90, 1000000), (8, 91, 0, NULL, NULL, 1000000);
