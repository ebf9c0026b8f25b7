-- As host-steps.sql, but a framework's threads 300 and 301, which run no code of the program, make the copies in turn.
-- Python's thread 100 waits for them for 1 ms in line 41, and launches the kernel then. What it does in the other 9 ms
-- the cases say.
-- Base: scenes/host-steps.sql
UPDATE calls SET start_ns = start_ns + 1000000, end_ns = end_ns + 1000000 WHERE site_id = 41;
UPDATE calls SET thread_id = 300 + (id + 1) % 2 WHERE site_id = 40;
DELETE FROM python_frames WHERE site_id = 40;
INSERT INTO threads VALUES (300, NULL), (301, NULL);
INSERT INTO stack VALUES
  (40, 0, NULL, NULL, NULL, '/opt/venv/lib/python3.12/site-packages/jax_plugins/xla_cuda12/xla_cuda_plugin.so'),
  (110, 0, NULL, NULL, NULL, '/opt/venv/lib/python3.12/site-packages/jax_plugins/xla_cuda12/xla_cuda_plugin.so');
INSERT INTO host_state VALUES (100, 'waiting for a thread', 41, 0, 1, 0, 0, NULL),
  (300, 'waiting for a thread', 110, 0, 10, 0, 0, NULL), (301, 'waiting for a thread', 110, 0, 10, 0, 0, NULL);
