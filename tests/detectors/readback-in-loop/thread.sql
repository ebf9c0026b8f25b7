-- Ten steps of 20 ms: the program's thread launches a kernel of 2 ms. Another thread, from 4 ms on, copies 4
-- bytes back and enqueues a host function, which begins as the copy ends and has told the host at 10 ms; the
-- program's thread makes no call until the next step. Nothing waits for the last read, and the one before it
-- stays. Of the other eight steps 13 ms are beside the read (3 + 10), and what of that is the thread's own work
-- is not known: half of it in the estimate, 8 x 12.5 ms less, and none at the high end, 8 x 19. The low end
-- keeps all reads.
CREATE TEMP TABLE step AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
  SELECT i, i * 20 at FROM n;
INSERT INTO threads VALUES (101, 'reader');
INSERT INTO operation (what, stream, line, enter, leave, start, end)
  SELECT 'kernel', 13, 40, at, at + 1, at + 1, at + 3 FROM step;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pinned', 13, 41, at + 4, at + 5, at + 6, at + 7, 1000000, 60000000 FROM step;
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaLaunchHostFunc', 13, NULL, 50 + i, at + 7, at + 8 FROM step;
INSERT INTO host_function (line, start, end) SELECT 50 + i, at + 7, at + 10 FROM step;
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
UPDATE calls SET thread_id = 101 WHERE site_id > 40;
DROP TABLE step;
