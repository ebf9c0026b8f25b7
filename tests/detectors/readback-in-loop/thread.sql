-- Ten steps of 20 ms: the program's thread launches a kernel of 2 ms. Another thread, from 4 ms on, copies 4
-- bytes back and enqueues a host function, which begins as the copy ends and has told the host at 10 ms; the
-- program's thread makes no call until the next step. Nothing waits for the last read, and the one before it
-- stays. Of the other eight steps 13 ms are beside the read (3 + 10), and what of that is the thread's own work
-- is not known: half of it in the estimate, 8 x 12.5 ms less, and none at the high end, 8 x 19. The low end
-- keeps all reads.
CREATE TEMP TABLE step AS SELECT n i, n * 20 at FROM number WHERE n < 10;
INSERT INTO threads VALUES (101, 'reader');
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40, at, at + 1, at + 1, at + 3, NULL, NULL FROM step;
INSERT INTO operation
  SELECT 'd2h', 'pinned', 13, 41, at + 4, at + 5, at + 6, at + 7, 1000000, 60000000 FROM step;
INSERT INTO call SELECT 'cudaLaunchHostFunc', 13, NULL, 50 + i, at + 7, at + 8 FROM step;
INSERT INTO host_function SELECT 50 + i, at + 7, at + 10 FROM step;
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
UPDATE calls SET thread_id = 101 WHERE site_id > 40;
DROP TABLE step;
-- Found:
wall 188 ms, overlapped 0 ms, lost 100 (0 to 152) ms, replayed 188 ms
readback-in-loop app.cu:40, 9 times, blocked 54 ms, lost 100 (0 to 152) ms
  at 4 ms for 6 ms: call 4 operation 2 cause 2
  at 24 ms for 6 ms: call 7 operation 4 cause 4
  at 44 ms for 6 ms: call 10 operation 6 cause 6
