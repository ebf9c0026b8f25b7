-- Near-miss: as in processor.sql, but no thread was ready without a processor: thread 100 works for 2 ms each.
-- Base: scenes/polled-event.sql
INSERT INTO metadata VALUES ('host_cpus', '8');
INSERT INTO thread_times (thread_id, start_ns, end_ns, cpu_ns, ready_ns, runs) VALUES
  (100, 1000000000, 1020000000, 20000000, 0, 10), (102, 1000000000, 1010000000, 10000000, 0, 5);
-- Found:
wall 20.1 ms, overlapped 0.5 ms, lost 0 (0 to 0) ms, replayed 20.1 ms
