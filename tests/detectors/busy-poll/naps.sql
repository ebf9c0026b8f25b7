-- Near-miss: as in processor.sql, but thread 102 lives as long as thread 100 and got a processor 25 times, for 20
-- pauses between its queries: it may have slept in each, and been kept from a processor elsewhere.
-- Base: scenes/polled-event.sql
INSERT INTO metadata VALUES ('host_cpus', '1');
INSERT INTO thread_times (thread_id, start_ns, end_ns, cpu_ns, ready_ns, runs) VALUES
  (100, 1000000000, 1020000000, 15000000, 5000000, 10), (102, 1000000000, 1020000000, 5000000, 5000000, 25);
-- Found:
wall 20.1 ms, overlapped 0.5 ms, lost 0 (0 to 0) ms, replayed 20.1 ms
