-- Near-miss: the host function is in the default stream of another thread (number 24): it holds nothing of
-- this one's. What is left is that the copy in waited for the copy out (0 to 10 ms). What
-- held it longer is not known: in a stream of its own it may save up to 30 ms.
-- Base: host-callback/per-thread.sql
UPDATE calls SET thread_id = 101 WHERE site_id = 81;
-- Found:
wall 70 ms, overlapped 0 ms, lost 10 (10 to 30) ms, replayed 70 ms
serial-stream app.cu:82, 1 times, blocked 10 ms, lost 10 (10 to 30) ms
  at 0 ms for 10 ms: operation 3 cause 1
