-- The same steps as told.sql, but 8 bytes come back, and the kernel takes a double by value: it could read it on the
-- device. Nine reads are found, as in steps.sql. No read can be late or left out, so the low end keeps all.
-- Base: readback-in-loop/told.sql
UPDATE operations SET size_bytes = 8 WHERE kind = 2;
UPDATE calls SET size_bytes = 8 WHERE size_bytes IS NOT NULL;
UPDATE strings SET text = '_Z4workPfid' WHERE id = 1;
-- Found:
wall 192 ms, overlapped 0 ms, lost 90 (0 to 90) ms, replayed 192 ms
readback-in-loop app.cu:41, 10 times, blocked 110 ms, lost 90 (0 to 90) ms
  at 1 ms for 11 ms: call 3 operation 2 cause 2, stream 10 ms
  at 21 ms for 11 ms: call 6 operation 4 cause 4, stream 10 ms
  at 41 ms for 11 ms: call 9 operation 6 cause 6, stream 10 ms
not seen: sync-in-loop: 9 90
