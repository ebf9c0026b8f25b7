-- A rank of a job of two, behind tests/support/prelude.sql and a table `rank` with one row: the rank, its process,
-- how long its host works between steps (ms, 0: it is ahead), and as what the looks found it then.
-- A step: a kernel of 2 ms (line 11), and an all-reduce that ends 1 ms after the last rank came (line 12). 20 steps,
-- one each 10 ms, for which the other rank waits: the rank that is ahead enqueues all of them in the first 19 ms. At
-- the end both wait for the device (line 13, until 193 ms). NCCL's watchdog asks for an event each 10 ms, until 205 ms,
-- and waits between.
INSERT INTO metadata
  SELECT 'rank', rank FROM rank UNION ALL SELECT 'process_id', process FROM rank UNION ALL
  SELECT 'ranks', 2 UNION ALL SELECT 'run', 'pmix:9' UNION ALL SELECT 'host', 'node1' UNION ALL
  SELECT 'host_states', 'on' UNION ALL SELECT 'python', 'on: 3.12' UNION ALL SELECT 'host_cpus', '8';
INSERT INTO strings VALUES (20, '_Z40ncclDevKernel_AllReduce_Sum_f32_RING_LL4args');
INSERT INTO communicators SELECT 1, '0123456789abcdef', rank, 2, 0, 900000000, NULL FROM rank;
UPDATE modules SET path = '/usr/bin/python3.12';
UPDATE frames SET file = NULL, line = NULL;
INSERT INTO stack VALUES
  (11, 0, '/home/u/train.py', 11, 'main', NULL), (12, 0, '/home/u/train.py', 12, 'main', NULL),
  (101, 0, '/home/u/train.py', 14, 'main', NULL),
  (102, 0, '/usr/lib/python3.12/threading.py', 355, 'Condition.wait', NULL),
  (102, 1, '/usr/lib/python3.12/queue.py', 171, 'Queue.get', NULL), (102, 2, '/home/u/train.py', 14, 'main', NULL);
CREATE TABLE step AS SELECT n, n * 10 AS t, iif((SELECT work FROM rank), n * 10, n) AS enter FROM number WHERE n < 20;
INSERT INTO operation (what, stream, line, enter, leave, start, end)
  SELECT 'kernel', 13, 11, enter, enter, iif(work OR NOT n, t, t - 7), iif(work OR NOT n, t, t - 7) + 2 FROM step, rank
  UNION ALL SELECT 'kernel', 13, 12, enter, enter, iif(work OR NOT n, t, t - 7) + 2, t + 3 FROM step, rank
  ORDER BY 4, 3;
UPDATE operations SET name_id = 20 WHERE correlation_id IN (SELECT correlation_id FROM calls WHERE site_id = 12);
INSERT INTO call (function, stream, line, enter, leave) SELECT 'cudaDeviceSynchronize', NULL, 13, max(enter) + 1, 193
  FROM step;
INSERT INTO threads VALUES (200, 'pt_nccl_watchdg');
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventQuery', NULL, 900, 20, n * 10 + 5, n * 10 + 5 FROM number WHERE n <= 20;
UPDATE calls SET thread_id = 200 WHERE site_id = 20;
INSERT INTO collectives
  SELECT NULL, 1, n, 1, 1000000, 7, NULL, 1300, 100, 1000000000 + enter * 1000000, 1000000000 + enter * 1000000,
    NULL, 12 FROM step;
INSERT INTO host_state
  SELECT 100, state, iif(state = 'waiting for a thread', 102, 101), t, t + work, 0, 0, NULL FROM step, rank
  WHERE work AND n < 19
  UNION ALL SELECT 200, 'waiting for a thread', NULL, t + 5, t + 15, 0, 0, NULL FROM step;
DROP TABLE step;
DROP TABLE rank;
