-- A copy that had not begun, for no cause that is seen: it may have waited for what the host writes.
INSERT INTO allocation VALUES (51000000, 1000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 30, 0, 0, 10, 20, 1000000, 51000000);
INSERT INTO copy_watch VALUES (1, 'source', 2, 4, 100, 40);
-- Found:
possible, 1 times: cudaMemcpyAsync at app.cu:30 reads, host at line 40 writes, -16 ms apart
unseen: launch arguments are not recorded
