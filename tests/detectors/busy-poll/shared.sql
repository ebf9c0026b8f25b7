-- As processor.sql, but thread 102 had the processor for 3 ms only, and thread 100 was ready for 8 ms without it: the rest
-- went to another program. Without the queries thread 100 gets 3 ms back. At the low end 0.75 of these: thread 100 and 102
-- had the processor for 15 of 20 ms.
-- Base: scenes/polled-event.sql
INSERT INTO metadata VALUES ('host_cpus', '1');
INSERT INTO thread_times (thread_id, start_ns, end_ns, cpu_ns, ready_ns, runs) VALUES
  (100, 1000000000, 1020000000, 12000000, 8000000, 10), (102, 1000000000, 1010000000, 3000000, 7000000, 5);
-- Found:
wall 20.1 ms, overlapped 0.5 ms, lost 3 (2.25 to 3) ms, replayed 20.1 ms
busy-poll app.cu:73, 1 times, blocked 10 ms, lost 3 (2.25 to 3) ms
  at 0 ms for 10 ms: call 4
busy-poll finds 1 waits, and 0 as replayed
