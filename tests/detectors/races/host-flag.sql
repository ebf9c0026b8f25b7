-- A read that is no longer than a flag may poll it. A read by the driver, a release by CUDA's own call, a watch that ended by a
-- wait or was given up: nothing.
INSERT INTO allocation VALUES (51000000, 1000000);
INSERT INTO modules VALUES (2, '/usr/lib/libcuda.so.1', NULL);
INSERT INTO frames (site_id, depth, module_id, offset) VALUES (150, 0, 2, 5);
INSERT INTO call_sites VALUES (150, 1);
INSERT INTO operation VALUES ('d2h', 'pinned', 23, 30, 0, 0, 0, 10, 1000000, 51000000);
UPDATE calls SET size_bytes = 4;
UPDATE operations SET size_bytes = 4;
INSERT INTO copy_watch VALUES
  (1, 'result', 1, 4, 100, 40), (1, 'result', 1, 4, 100, 150), (1, 'result', 5, 4, 100, NULL),
  (1, 'result', 7, 4, 100, NULL), (1, 'result', 6, 4, 100, NULL), (1, 'result', 4, 4, 100, NULL);
-- Found:
possible, 1 times: cudaMemcpyAsync at app.cu:30 writes, host at line 40 reads, -6 ms apart
unseen: launch arguments are not recorded
