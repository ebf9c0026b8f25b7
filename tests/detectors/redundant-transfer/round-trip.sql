-- Three steps of 50 ms: a kernel writes a field (20 ms), cudaMemcpy() fetches it (10 ms) and sends it back as it
-- was (10 ms), and a kernel reads it (10 ms). Without both copies a step takes 30 ms: 60 of 150 ms. The host had
-- no time to read what was fetched; it may have, so that the low end leaves that copy: 30 ms.
-- Base: scenes/round-trip.sql
UPDATE calls SET numbers = 2147483648 + 100 + (start_ns - 1000000000) / 50000000 WHERE site_id IN (32, 33);
-- Found:
wall 150 ms, overlapped 0 ms, lost 60 (30 to 60) ms, replayed 150 ms
redundant-transfer app.cu:33, 3 times, blocked 30 ms, lost 60 (30 to 60) ms
  at 30 ms for 10 ms: call 3 operation 3, copy 10 ms
  at 80 ms for 10 ms: call 8 operation 7, copy 10 ms
  at 130 ms for 10 ms: call 13 operation 11, copy 10 ms
  fix: the other one
blocking-copy app.cu:32, 3 times, blocked 90 ms, lost 0 (0 to 0) ms, folded
  at 0 ms for 30 ms: call 2 operation 3 cause 2, stream 20 ms, copy 10 ms
  at 50 ms for 30 ms: call 7 operation 7 cause 6, stream 20 ms, copy 10 ms
  at 100 ms for 30 ms: call 12 operation 11 cause 10, stream 20 ms, copy 10 ms
blocking-copy app.cu:33, 3 times, blocked 30 ms, lost 0 (0 to 0) ms, folded
  at 30 ms for 10 ms: call 3 operation 4 cause 3, copy 10 ms
  at 80 ms for 10 ms: call 8 operation 8 cause 7, copy 10 ms
  at 130 ms for 10 ms: call 13 operation 12 cause 11, copy 10 ms
sync-in-loop app.cu:35, 2 times, blocked 20 ms, lost 0 (0 to 0) ms, folded
  at 40 ms for 10 ms: call 5 operation 5 cause 4, other streams 10 ms
  at 90 ms for 10 ms: call 10 operation 9 cause 8, other streams 10 ms
