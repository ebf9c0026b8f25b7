-- As wide-sync, with a host that is seen to read what stream 13 brought by 40, 1 ms after its wait, and
-- never what stream 14 brought by 60: the low end narrows the wait, too.
-- Base: wide-sync/chunks.sql
INSERT INTO first_use VALUES (3, 60, 1, 61, 90, 1000000000), (6, 60, 0, NULL, NULL, 1000000000);
-- Found:
wall 123 ms, overlapped 40 ms, lost 20 (20 to 20) ms, replayed 123 ms
wide-sync app.cu:53, 1 times, blocked 20 ms, lost 20 (20 to 20) ms
  at 40 ms for 20 ms: call 7 operation 7 cause 6 needed 4, other streams 59 ms, needed by 1 ms at line 90
