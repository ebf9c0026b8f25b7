-- The host reads the result 11 ms after its wait, behind a kernel of other work, and the next chunk comes
-- after that read. The wait can move by as much: the kernel then runs 2 to 12 (1 ms of the host's after
-- the calls that no longer wait), the first chunk's 12 to 32, its copy out ends at 42, and what follows
-- the read comes at 42 instead of 51. Were the read not seen it could come at 12.
INSERT INTO chunk VALUES (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO operation VALUES ('kernel', NULL, 14, 50, 41, 41, 41, 51, NULL, NULL);
INSERT INTO chunk VALUES (2, 2, 14, 40, 51, 51, 61, 81);
INSERT INTO call VALUES ('cudaDeviceSynchronize', 7, NULL, 44, 52, 91);
INSERT INTO first_use VALUES (3, 40, 1, 51, 90, 1000000), (8, 91, 0, NULL, NULL, 1000000);
-- Found:
wall 91 ms, overlapped 0 ms, lost 9 (9 to 11) ms, replayed 91 ms
sync-in-loop app.cu:43, 1 times, blocked 39 ms, lost 9 (9 to 11) ms
  at 1 ms for 39 ms: call 4 operation 4 cause 3, stream 39 ms, movable by 11 ms at line 90
