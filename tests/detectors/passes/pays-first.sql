-- redundant-transfer/pageable.sql in one window: pinning saves 32 ms alone, and not sending again 30, of which 6 are
-- left beside the first. In a second window, a second later, the wait of 40 ms holds back the copy of 10 ms behind it,
-- which saves 10 of 50 ms whatever else is fixed. So the list is 32, 10, 6, not 32, 6, 10 as by what each saves alone.
-- Base: redundant-transfer/pageable.sql
INSERT INTO windows (id, start_ns, end_ns, cause) VALUES
  (1, 1000000000, 1160000000, 'call'), (2, 2000000000, 2050000000, 'call');
UPDATE rounds SET times = 1;
INSERT INTO operation VALUES ('kernel', NULL, 14, 41, 1000, 1000, 1000, 1040, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 14, NULL, 43, 1000, 1040);
INSERT INTO operation VALUES ('d2h', 'pinned', 23, 40, 1040, 1040, 1040, 1050, 12000000, 62000000);
-- Found:
wall 210 ms, overlapped 0 ms, lost 48 (37.7778 to 48.1818) ms, replayed 210 ms
pageable-copy app.cu:30, 4 times, blocked 40 ms, lost 32 (31.1111 to 32.7273) ms
  at 0 ms for 10 ms: call 1 operation 1, copy 10 ms
  at 40 ms for 10 ms: call 5 operation 4, copy 10 ms
  at 80 ms for 10 ms: call 9 operation 7, copy 10 ms
sync-in-loop app.cu:43, 1 times, blocked 40 ms, lost 10 (0 to 10) ms
  at 1000 ms for 40 ms: call 18 operation 14 cause 13, stream 40 ms
redundant-transfer app.cu:30, 3 times, blocked 30 ms, lost 30 (30 to 30) ms
  in the order of the list: 6 ms
  at 40 ms for 10 ms: call 5 operation 4, copy 10 ms
  at 80 ms for 10 ms: call 9 operation 7, copy 10 ms
  at 120 ms for 10 ms: call 13 operation 10, copy 10 ms
sync-in-loop app.cu:33, 3 times, blocked 90 ms, lost 0 (0 to 0) ms, folded
  at 10 ms for 30 ms: call 4 operation 4 cause 3, stream 30 ms
  at 50 ms for 30 ms: call 8 operation 7 cause 6, stream 30 ms
  at 90 ms for 30 ms: call 12 operation 10 cause 9, stream 30 ms
not seen: sync-in-loop: 1 30
not seen: kernel arguments: 1 5
