-- As calls.sql, but the call is cudaFree(), which waited for a kernel until 2 ms before it, and comes back at 6: how much of
-- that it waited for is not told apart from what it had no processor for.
UPDATE rounds SET times = 9, ms = 10;
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 0, 0, 0, 2, NULL, NULL);
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 42, 0, 6);
INSERT INTO host_state VALUES (100, 'running', 42, 0, 6, 5, 0, NULL);
-- Found:
wall 86 ms, overlapped 0 ms, lost 48 (48 to 48) ms, replayed 86 ms
free-sync app.cu:42, 8 times, blocked 16 ms, lost 48 (48 to 48) ms
  at 0 ms for 2 ms: call 2 operation 2 cause 1, other streams 2 ms
  at 10 ms for 2 ms: call 4 operation 3 cause 2, other streams 2 ms
  at 20 ms for 2 ms: call 6 operation 4 cause 3, other streams 2 ms
