-- Three steps: ten copies of 1 kB, 10 us each in the call and 1 us on the device, 2 us behind the call; then a
-- kernel of 100 us, launched in 10 us and started 2 us behind that, and a wait for it. At 1 GB/s one copy of 10 kB takes
-- 10 us: it would end when the kernel starts. Nine calls less are 90 us a step, but for 1.25 us to
-- gather 10 kB at 8 GB/s: 3 x 88.75 us. At the low end gathering takes 2.5 us, and the last kernel starts 1.1 us later: 261.4; at the
-- high end gathering takes nothing. The pieces lie beside each other on the device.
-- Base: scenes/fields.sql
UPDATE operations SET size_bytes = 1000 WHERE kind = 2;
UPDATE calls SET size_bytes = 1000 WHERE size_bytes IS NOT NULL;
-- Found:
wall 0.652 ms, overlapped 0 ms, lost 0.26625 (0.261389 to 0.27) ms, replayed 0.652 ms
tiny-copies app.cu:40, 3 times, blocked 0.309 ms, lost 0.26625 (0.261389 to 0.27) ms
  at 0 ms for 0.103 ms: call 1 operation 10
  at 0.22 ms for 0.103 ms: call 12 operation 21
  at 0.44 ms for 0.103 ms: call 23 operation 32
