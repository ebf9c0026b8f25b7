-- The host writes a copy's source, and reads another's result, while both run; then gives back a third one's source.
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (53000000, 1000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 30, 0, 0, 0, 10, 1000000, 51000000),
  ('d2h', 'pinned', 24, 31, 0, 0, 0, 10, 2000000, 52000000),
  ('h2d', 'pinned', 23, 32, 1, 1, 10, 20, 3000000, 53000000);
INSERT INTO copy_watch VALUES
  (1, 'source', 2, 4, 100, 40), (2, 'result', 1, 5, 200, 41), (3, 'source', 5, 6, 100, 42);
-- Found:
certain, 1 times: cudaMemcpyAsync at app.cu:30 reads, host at line 40 writes, -6 ms apart
certain, 1 times: cudaMemcpyAsync at app.cu:31 writes, host at line 41 reads, -5 ms apart
certain, 1 times: cudaMemcpyAsync at app.cu:32 reads, host at line 42 writes, -14 ms apart
unseen: launch arguments are not recorded
