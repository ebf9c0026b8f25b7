-- A loop of five steps, 20 ms each, in a stream that stays: each creates an event (1 ms), runs a kernel (10 ms)
-- and a copy of its result (3 ms), records the event behind it, waits for it, and destroys it (2 ms). Kept,
-- the event saves four creations and four destructions: 12 of 98 ms.
UPDATE rounds SET times = 5, ms = 20;
INSERT INTO call VALUES ('cudaEventCreateWithFlags', NULL, 500, 70, 0, 1);
INSERT INTO operation VALUES
  ('kernel', NULL, 23, 72, 2, 2, 2, 12, NULL, NULL),
  ('d2h', 'pinned', 23, 73, 2, 2, 12, 15, 11000000, 61000000);
INSERT INTO call VALUES
  ('cudaEventRecord', 23, 500, 74, 3, 3),
  ('cudaEventSynchronize', NULL, 500, 75, 4, 15),
  ('cudaEventDestroy', NULL, 500, 76, 16, 18);
-- Found:
wall 98 ms, overlapped 0 ms, lost 12 (12 to 12) ms, replayed 98 ms
stream-churn app.cu:70, 4 times, blocked 4 ms, lost 12 (12 to 12) ms
  at 20 ms for 1 ms: call 7
  at 40 ms for 1 ms: call 13
  at 60 ms for 1 ms: call 19
  fix: the other one
not seen: sync-in-loop: 4 44
