-- As between.sql, but 1 MB of data comes from another stream in each step, too: the synchronize is the device's, and not
-- there for the value alone. No read is found.
-- Base: readback-in-loop/between.sql
INSERT INTO operation VALUES ('d2h', 'pinned', 14, 44, 14.5, 15, 15, 16, 2000000, 61000000);
UPDATE calls SET function_id = 3, stream_handle = NULL WHERE site_id = 42;
-- Found:
wall 196 ms, overlapped 0 ms, lost 20 (20 to 20) ms, replayed 196 ms
serial-stream app.cu:43, 10 times, blocked 10 ms, lost 10 (10 to 10) ms
  at 11 ms for 1 ms: operation 3 cause 2
  at 31 ms for 1 ms: operation 7 cause 6
  at 51 ms for 1 ms: operation 11 cause 10
wide-sync app.cu:42, 10 times, blocked 10 ms, lost 10 (10 to 10) ms, with the others fixed
  at 12 ms for 1 ms: call 4 operation 4 cause 3 needed 2
  at 31 ms for 1 ms: call 9 operation 8 cause 7 needed 6
  at 50 ms for 1 ms: call 14 operation 12 cause 11 needed 10
not seen: sync-in-loop: 10 110
