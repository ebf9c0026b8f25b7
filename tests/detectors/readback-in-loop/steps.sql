-- Ten steps: a kernel of 10 ms, 4 bytes back to the host, which waits 10 ms for them and works for 8 ms:
-- 200 ms, 192 without the last work. With the last read alone the host needs 9 ms a step and the device
-- 10: 1 + 10 x 10 + 1 for the copy = 102 ms, 90 ms less. At the low end the host waits for the
-- copy before: the device needs 11 ms a step with the copy, 1 + 10 x 11 = 111 ms, 81 less.
-- Base: readback-in-loop/large.sql
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
-- Found:
wall 192 ms, overlapped 0 ms, lost 90 (81 to 90) ms, replayed 192 ms
readback-in-loop app.cu:41, 10 times, blocked 110 ms, lost 90 (81 to 90) ms
  at 1 ms for 11 ms: call 3 operation 2 cause 2, stream 10 ms
  at 21 ms for 11 ms: call 6 operation 4 cause 4, stream 10 ms
  at 41 ms for 11 ms: call 9 operation 6 cause 6, stream 10 ms
not seen: sync-in-loop: 9 90
