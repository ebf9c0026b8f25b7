-- What comes down from one place goes up to another, as it was: all bytes were hashed. Without the copies between
-- the kernels the run takes 100 ms less: 5 times 20. The host may have read what came down, so that the low end leaves those copies:
-- 5 times 10 ms.
-- Base: scenes/moved.sql
UPDATE calls SET numbers = 2147483648 + 100 + start_ns / 10000000 / 3 WHERE site_id = 30;
UPDATE calls SET numbers = 2147483648 + 101 + start_ns / 10000000 / 3 WHERE site_id = 32;
-- Found:
wall 180 ms, overlapped 0 ms, lost 100 (50 to 125) ms, replayed 180 ms
redundant-transfer app.cu:30, 5 times, blocked 50 ms, lost 100 (50 to 125) ms
  at 30 ms for 10 ms: call 4 operation 4
  at 60 ms for 10 ms: call 7 operation 7
  at 90 ms for 10 ms: call 10 operation 10
