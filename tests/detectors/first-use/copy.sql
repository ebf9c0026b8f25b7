-- As blocking-copy, with a host that is seen to touch what the first copy brought when all is done, 41 ms
-- after it: no end of the interval keeps that wait. No work follows the second copy.
-- Base: blocking-copy/out.sql
INSERT INTO first_use VALUES (3, 40, 1, 81, 90, 1000000);
-- Found:
wall 80 ms, overlapped 0 ms, lost 20 (20 to 20) ms, replayed 80 ms
blocking-copy app.cu:62, 1 times, blocked 40 ms, lost 20 (20 to 20) ms
  at 0 ms for 40 ms: call 3 operation 4 cause 3, other streams 30 ms, copy 10 ms, movable by 41 ms at line 90
