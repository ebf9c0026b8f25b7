-- One processor. Thread 100 works for 1 ms before each of 15 launches. Until 10 ms it takes 2 ms each, because
-- thread 102 queries the event behind its copy meanwhile, every 0.5 ms without a sleep, and each has the processor
-- for half of the time: thread 100 was ready for 5 ms without one. If thread 102 sleeps the launches are done
-- at 15 and not at 20. At the low end its 5 ms are spread over all of its 20: half of them.
-- Base: scenes/polled-event.sql
INSERT INTO metadata VALUES ('host_cpus', '1');
INSERT INTO thread_times (thread_id, start_ns, end_ns, cpu_ns, ready_ns, runs) VALUES
  (100, 1000000000, 1020000000, 15000000, 5000000, 10), (102, 1000000000, 1010000000, 5000000, 5000000, 5);
-- Found:
wall 20.1 ms, overlapped 0.5 ms, lost 5 (2.5 to 5) ms, replayed 20.1 ms
busy-poll app.cu:73, 1 times, blocked 10 ms, lost 5 (2.5 to 5) ms
  at 0 ms for 10 ms: call 4
busy-poll finds 1 waits, and 0 as replayed
