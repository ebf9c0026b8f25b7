-- Near-miss: as ahead.sql, but the last batch is not what was in its memory before: the host writes that, so that
-- no batch is there a step ahead for sure. Pinned alone: 8 x 10 ms.
-- Base: pageable-copy/ahead.sql
UPDATE calls SET numbers = 9 WHERE id = 8;
-- Found:
wall 314 ms, overlapped 0 ms, lost 80 (78.2222 to 81.4546) ms, replayed 314 ms
pageable-copy app.cu:30, 8 times, blocked 96 ms, lost 80 (78.2222 to 81.4546) ms
  at 0 ms for 12 ms: call 1 operation 1, copy 12 ms
  at 40 ms for 12 ms: call 5 operation 4, copy 12 ms
  at 80 ms for 12 ms: call 9 operation 7, copy 12 ms
not seen: sync-in-loop: 7 140
not seen: host-bound: 7 42
