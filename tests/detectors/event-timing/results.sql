-- Near-miss: as steps.sql, but a copy brings 4 bytes back in each step before the wait: the host needs
-- these, and waits for them all the same.
-- Base: scenes/inputs.sql
INSERT INTO operation VALUES
  ('kernel', NULL, 24, 73, 0, 0, 10, 20, NULL, NULL),
  ('d2h', 'pinned', 24, 77, 0, 0, 20, 20, 11000000, 71000000);
UPDATE calls SET size_bytes = 4 WHERE site_id = 77;
UPDATE operations SET size_bytes = 4 WHERE copy_kind = 2;
INSERT INTO call VALUES
  ('cudaEventRecord', 24, 500, 74, 0, 0),
  ('cudaEventSynchronize', NULL, 500, 75, 1, 20),
  ('cudaEventElapsedTime', NULL, 500, 76, 20, 20);
-- Found:
wall 104 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 104 ms
not seen: event-timing: 4 76
