-- Five times the kernels A A A B A B, where any two in a row come twice; behind a wait four times C D. Launches are 10 us
-- apart with 6 us in the call, and a kernel of 1 us starts 2 us behind each.
-- Graphs: from the second A on four times six launches, of which each takes 60 us, and then 2.5 us and the 4 us to the
-- next; and four of two launches, 20 us each: 3 x 13.5 us less, and the last one ends after 7 us and not after 19.
CREATE TABLE kernel AS
  SELECT n i, substr('AAABABAAABABAAABABAAABABAAABAB-CDCDCDCD', n + 1, 1) letter FROM number WHERE n < 39;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, unicode(letter) - 25, i * 0.01, i * 0.01 + 0.006, i * 0.01 + 0.008, i * 0.01 + 0.009,
  NULL, NULL FROM kernel WHERE letter <> '-' ORDER BY i;
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 50, 0.3, 0.305);
INSERT INTO strings SELECT DISTINCT unicode(letter), printf('_Z1%sv', letter) FROM kernel WHERE letter <> '-';
UPDATE operations SET name_id = (SELECT site_id + 25 FROM calls c WHERE c.correlation_id = operations.correlation_id);
DROP TABLE kernel;
-- Found:
wall 0.389 ms, overlapped 0 ms, lost 0.2665 (0.2636 to 0.2665) ms, replayed 0.389 ms
tiny-kernels app.cu:40, 4 times, blocked 0.236 ms, lost 0.214 (0.2112 to 0.214) ms
  at 0.01 ms for 0.059 ms: call 2 operation 7
  at 0.07 ms for 0.059 ms: call 8 operation 13
  at 0.13 ms for 0.059 ms: call 14 operation 19
tiny-kernels app.cu:42, 4 times, blocked 0.076 ms, lost 0.0525 (0.0524 to 0.0525) ms
  at 0.31 ms for 0.019 ms: call 32 operation 32
  at 0.33 ms for 0.019 ms: call 34 operation 34
  at 0.35 ms for 0.019 ms: call 36 operation 36
