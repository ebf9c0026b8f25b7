-- The host's memory is unregistered 5 ms before the copy that reads it has ended, and the call does not wait.
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (61000000, 1000000);
INSERT INTO allocations (time_ns, is_release, memory_kind, address, size_bytes) VALUES (1, 0, 2, 1000000, 1000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 30, 0, 0, 0, 10, 1000000, 51000000),
  ('kernel', NULL, 23, 31, 0, 0, 10, 20, NULL, NULL);
INSERT INTO launch VALUES (2, 51000000, 61000000);
INSERT INTO call VALUES ('cudaHostUnregister', NULL, NULL, 40, 5, 6);
UPDATE calls SET dst = 1000000 WHERE site_id = 40;
-- Found:
certain, 1 times: cudaMemcpyAsync at app.cu:30 reads, cudaHostUnregister at app.cu:40 releases, -5 ms apart
