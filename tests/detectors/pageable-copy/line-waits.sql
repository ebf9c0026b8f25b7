-- A framework's copy that blocks: cudaMemcpyAsync() of pageable memory, which waits for the kernel before it and
-- takes 12 ms, and in the same line cudaStreamSynchronize(), which finds the copy done. 1 ms later comes a kernel
-- of 20 ms. Six steps of 33 ms, each from memory of its own, which the host does not use again. Pinned, and
-- without either wait, the host is ahead, and 22 ms a step remain: 6 x 11 of 198 ms. The copies then wait for
-- the kernels before them: in other streams another 5 x 2 ms.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
UPDATE rounds SET times = 6, ms = 33;
INSERT INTO operation VALUES ('h2d', 'pageable', 13, 30, 0, 12, 0, 12, 1000000, 51000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 30, 12, 12);
INSERT INTO operation VALUES ('kernel', NULL, 13, 31, 13, 13, 13, 33, NULL, NULL);
UPDATE calls SET src = src + 1000000 * id, start_ns = max(1000000000, start_ns - 19000000)
  WHERE src > 0 AND site_id = 30;
-- Found:
wall 198 ms, overlapped 0 ms, lost 76 (64.6667 to 76.1818) ms, replayed 198 ms
pageable-copy app.cu:30, 6 times, blocked 167 ms, lost 66 (64.6667 to 67.0909) ms
  at 14 ms for 31 ms: call 4 operation 3 cause 2, stream 19 ms, copy 12 ms
  at 47 ms for 31 ms: call 7 operation 5 cause 4, stream 19 ms, copy 12 ms
  at 80 ms for 31 ms: call 10 operation 7 cause 6, stream 19 ms, copy 12 ms
serial-stream app.cu:30, 5 times, blocked 100 ms, lost 10 (0 to 10) ms, with the others fixed
  at 2 ms for 20 ms: operation 3 cause 2
  at 24 ms for 20 ms: operation 5 cause 4
  at 46 ms for 20 ms: operation 7 cause 6
  fix: the other one
