-- Ten steps of 100 ms. In each the main thread prepares a batch for 50 ms, waits 20 ms for a loader's thread, which decodes
-- another one for 18 ms of that, and launches a kernel that runs from 71 to 100 ms, until which it waits.
-- A second loader's thread reads from a pipe all the time.
INSERT INTO metadata VALUES ('program', 'python3'), ('command_line', 'python3 train.py'), ('process_id', '100'),
  ('working_directory', '/home/u/app'), ('cupti', 'on'), ('end', 'exit'), ('python', 'on: 3.12'), ('host_states', 'on'),
  ('event_waits', 'calls'), ('events', 'all'), ('launch_arguments', 'on'), ('host_cpus', '8'), ('host', 'here');
INSERT INTO functions VALUES (1, '__cudaLaunchKernel', 'launch'), (2, 'cudaDeviceSynchronize', 'device-sync');
INSERT INTO strings VALUES (1, '_Z4stepPf'), (2, 'pipe');
INSERT INTO devices (id, name) VALUES (0, 'NVIDIA H100');
INSERT INTO contexts VALUES (1, 0, 7);
INSERT INTO streams VALUES (1, 7, 3, 0, NULL, NULL, NULL);
INSERT INTO threads VALUES (100, 'python3'), (101, 'loader-0'), (102, 'python3');
INSERT INTO modules VALUES (1, '/usr/bin/python3.12', NULL), (2, '/usr/lib/x86_64-linux-gnu/libc.so.6', NULL),
  (3, '/home/u/env/lib/python3.12/site-packages/numpy/_core/_multiarray_umath.cpython-312-x86_64-linux-gnu.so', NULL);
INSERT INTO call_sites VALUES (1, 0), (2, 0), (10, 3), (11, 0), (12, 0), (13, 0), (14, 0);
INSERT INTO frames (site_id, depth, module_id, offset) VALUES (10, 0, 2, 64), (10, 1, 3, 128), (10, 2, 1, 256);
INSERT INTO python_frames VALUES
  (1, 0, '/home/u/app/train.py', 31, 'main'),
  (2, 0, '/home/u/app/train.py', 32, 'main'),
  (10, 0, '/home/u/app/augment.py', 41, 'prepare'), (10, 1, '/home/u/app/train.py', 29, 'main'),
  (11, 0, '/usr/lib/python3.12/threading.py', 355, 'Condition.wait'), (11, 1, '/usr/lib/python3.12/queue.py', 171, 'Queue.get'),
  (11, 2, '/home/u/app/train.py', 30, 'main'),
  (12, 0, '/usr/lib/python3.12/json/decoder.py', 353, 'JSONDecoder.raw_decode'),
  (12, 1, '/usr/lib/python3.12/json/__init__.py', 346, 'loads'), (12, 2, '/home/u/app/loader.py', 12, 'fill'),
  (13, 0, '/usr/lib/python3.12/queue.py', 140, 'Queue.put'), (13, 1, '/home/u/app/loader.py', 7, 'fill'),
  (14, 0, '/usr/lib/python3.12/multiprocessing/connection.py', 250, 'Connection.recv'), (14, 1, '/home/u/app/loader.py', 20, 'read');
CREATE TABLE step (n INTEGER PRIMARY KEY);
WITH RECURSIVE next(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM next WHERE n < 9) INSERT INTO step SELECT n FROM next;
INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, per_thread_stream, site_id, correlation_id,
  stream_handle)
  SELECT 1 + 2 * n, 100, 1, 1070000000 + n * 100000000, 1071000000 + n * 100000000, 0, 0, 0, 1, 1 + 2 * n, 0 FROM step
  UNION ALL SELECT 2 + 2 * n, 100, 2, 1072000000 + n * 100000000, 1100000000 + n * 100000000, 0, 0, 0, 2, NULL, NULL FROM step
  ORDER BY 1;
INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, name_id)
  SELECT 1, 1071000000 + n * 100000000, 1100000000 + n * 100000000, 0, 1, 7, 1 + 2 * n, 1 FROM step;
CREATE TABLE state (thread_id, start, end, state, site_id, object_id);
INSERT INTO state VALUES (100, 0, 50, 0, 10, NULL), (100, 50, 70, 2, 11, NULL), (100, 70, 72, 0, 1, NULL),
  (100, 72, 100, 6, 2, NULL),
  (101, 0, 50, 2, 13, NULL), (101, 50, 68, 0, 12, NULL), (101, 68, 100, 2, 13, NULL);
INSERT INTO host_states (thread_id, start_ns, end_ns, state, looks, ready_ns, faults, site_id, object, object_id)
  SELECT thread_id, 1000000000 + n * 100000000 + start * 1000000, 1000000000 + n * 100000000 + end * 1000000, state,
    end - start, 0, NULL, site_id, NULL, object_id FROM step, state
  UNION ALL SELECT 102, 1000000000, 2000000000, 4, 1000, 0, NULL, 14, 5, 2;
DROP TABLE state;
DROP TABLE step;
