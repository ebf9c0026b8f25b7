-- As steps.sql, but with cudart linked in: of its launches the driver's call alone is recorded, 10 us behind the
-- loading that came before it. It begins with the loading, and the same is won.
-- Base: lazy-load/steps.sql
UPDATE calls SET start_ns = start_ns + 2510000 WHERE site_id = 61 AND end_ns - start_ns = 3000000;
UPDATE calls SET api_path = 1;
-- Found:
wall 106.5 ms, overlapped 0 ms, lost 10 (10 to 12.5) ms, replayed 106.5 ms
lazy-load app.cu:61, 5 times, blocked 12.5 ms, lost 10 (10 to 12.5) ms
  at 18 ms for 2.5 ms: call 10 operation 7, unexplained 2.5 ms
  at 36 ms for 2.5 ms: call 19 operation 13, unexplained 2.5 ms
  at 54 ms for 2.5 ms: call 28 operation 19, unexplained 2.5 ms
not seen: sync-in-loop: 17 51
not seen: events and queries: 36 36
