-- cudaMemcpy of twenty results of 1 kB, 20 us each in the call, behind a kernel of 100 us: pinned memory, and what the host
-- reads it reads behind the last one. One copy of 20 kB takes 20 us at 1 GB/s: of the calls one stays, with 19 us of its
-- own and 20 us of its copy, and 2.5 us for 20 kB: 20 x 20 - 41.5 = 358.5 us less. Reads of a loop
-- (readback-in-loop) they are not.
INSERT INTO metadata VALUES
  ('pinned_d2h_bytes_per_s', '1000000000'), ('pinned_d2h_latency_ns', '0');
CREATE TEMP TABLE piece AS SELECT n k FROM number WHERE n < 20;
INSERT INTO operation VALUES ('kernel', NULL, 7, 50, 0, 0.01, 0.012, 0.112, NULL, NULL);
INSERT INTO operation
  SELECT 'd2h', 'pinned', 7, 40, iif(k, at, 0.01), at + 0.02, at + 0.01, at + 0.011,
  1000000 + k * 5000, 60000000 + k * 1000
  FROM (SELECT k, 0.102 + k * 0.02 at FROM piece ORDER BY k);
INSERT INTO operation VALUES ('kernel', NULL, 7, 51, 0.502, 0.512, 0.514, 0.614, NULL, NULL);
INSERT INTO made_by VALUES (40, 'cudaMemcpy');
UPDATE operations SET size_bytes = 1000 WHERE kind = 2;
UPDATE calls SET size_bytes = 1000 WHERE size_bytes IS NOT NULL;
-- Found:
wall 0.614 ms, overlapped 0 ms, lost 0.3585 (0.353778 to 0.362819) ms, replayed 0.614 ms
tiny-copies app.cu:40, 1 times, blocked 0.492 ms, lost 0.3585 (0.353778 to 0.362819) ms
  at 0.01 ms for 0.492 ms: call 2 operation 21, stream 0.102 ms, copy 0.001 ms
