-- Near-miss: two threads, each with a stream of its own, read what came back in the 5 ms between
-- their wait and their next copy. The second thread begins to wait while the first one's copy is
-- enqueued and not yet waited for: that takes nothing from the first one. Both waits count as
-- needed.
INSERT INTO threads (id, name) VALUES (101, 'other');
INSERT INTO operation VALUES
  ('d2h', 'pinned', 13, 40, 0, 0,  0, 20, 11000000, 61000000),
  ('d2h', 'pinned', 14, 50, 1, 1, 20, 30, 12000000, 62000000);
INSERT INTO call VALUES
  ('cudaStreamSynchronize', 14, NULL, 51, 2, 30),
  ('cudaStreamSynchronize', 13, NULL, 41, 3, 20);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 42, 25, 25, 25, 27, 1000000, 51000000),
  ('h2d', 'pinned', 14, 52, 35, 35, 35, 37, 2000000, 52000000);
UPDATE calls SET thread_id = 101 WHERE stream_handle = 1400;
-- Found:
wall 37 ms, overlapped 2 ms, lost 0 (0 to 0) ms, replayed 37 ms
not seen: sync-in-loop: 2 45
