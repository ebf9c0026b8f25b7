-- As hot.sql, but between each release and the next allocation another line allocates for good, and may
-- need the room: the low end is 0.
-- Base: alloc-in-loop/hot.sql
INSERT INTO call VALUES ('cudaMalloc', NULL, NULL, 80, 19, 19.5);
UPDATE calls SET dst = 100000000 + id * 1000000, size_bytes = 1000000 WHERE site_id = 80;
-- Found:
wall 99.5 ms, overlapped 0 ms, lost 24 (0 to 24) ms, replayed 99.5 ms
alloc-in-loop app.cu:70, 4 times, blocked 8 ms, lost 24 (0 to 24) ms
  at 20 ms for 2 ms: call 6
  at 40 ms for 2 ms: call 11
  at 60 ms for 2 ms: call 16
not seen: blocking-copy: 4 48
