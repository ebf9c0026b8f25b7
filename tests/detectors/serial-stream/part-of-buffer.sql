-- Near-miss: as filled-buffer.sql, but the allocation has 2 MB, of which the copies write one: the kernel may use the
-- rest of what is there. The low end keeps one buffer.
-- Base: serial-stream/filled-buffer.sql
UPDATE allocations SET size_bytes = 2000000;
-- Found:
wall 80 ms, overlapped 0 ms, lost 20 (0 to 20) ms, replayed 80 ms
serial-stream app.cu:30, 1 times, blocked 30 ms, lost 20 (0 to 20) ms
  at 10 ms for 30 ms: operation 4 cause 3
  fix: the other one
