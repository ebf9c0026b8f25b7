-- As steps.sql, but what is copied and so enqueued differs from step to step: the time may have decided it.
-- The low end leaves all waits but the first.
-- Base: event-timing/steps.sql
UPDATE operations SET size_bytes = 1000000 + id WHERE kind = 2;
UPDATE calls SET size_bytes = 1000000 + id WHERE site_id = 70;
-- Found:
wall 105 ms, overlapped 0 ms, lost 44 (11 to 44) ms, replayed 105 ms
event-timing app.cu:75, 4 times, blocked 76 ms, lost 44 (11 to 44) ms
  at 1 ms for 19 ms: call 6 operation 3 cause 2, stream 19 ms
  at 22 ms for 19 ms: call 13 operation 5 cause 4, stream 19 ms
  at 43 ms for 19 ms: call 20 operation 7 cause 6, stream 19 ms
