-- Two tensors, sent again at one line in each step. All bytes of the first were hashed in the third and fourth step,
-- and are the same; of the second its lines alone, six times the same: it is likely to be so, too.
-- Base: scenes/two-inputs.sql
UPDATE calls SET numbers = CASE WHEN id IN (13, 19) THEN 2147483648 + 9 WHEN id % 2 THEN 7 ELSE 5 END
  WHERE site_id = 30;
-- Found:
wall 480 ms, overlapped 0 ms, lost 120 (70 to 120) ms, replayed 480 ms
redundant-transfer app.cu:30, 10 times, blocked 100 ms, lost 100 (50 to 100) ms
  at 80 ms for 10 ms: call 9 operation 7
  at 120 ms for 10 ms: call 13 operation 10
  at 160 ms for 10 ms: call 17 operation 13
sync-in-loop app.cu:33, 11 times, blocked 440 ms, lost 0 (0 to 0) ms
  at 0 ms for 40 ms: call 4 operation 4 cause 3, stream 40 ms
  at 40 ms for 40 ms: call 8 operation 7 cause 6, stream 40 ms
  at 80 ms for 40 ms: call 12 operation 10 cause 9, stream 40 ms
serial-stream app.cu:30, 1 times, blocked 30 ms, lost 20 (20 to 20) ms, with the others fixed
  at 10 ms for 30 ms: operation 4 cause 3
