-- As again.sql, but all bytes were hashed of the second and the third copy alone, for their lines repeat: they are
-- the same, and so count the others.
-- Base: scenes/steps.sql
INSERT INTO launch SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
UPDATE calls SET numbers = CASE id WHEN 4 THEN 2147483648 + 9 WHEN 7 THEN 2147483648 + 9 ELSE 7 END
  WHERE site_id = 30;
-- Found:
wall 160 ms, overlapped 0 ms, lost 30 (30 to 30) ms, replayed 160 ms
redundant-transfer app.cu:30, 3 times, blocked 30 ms, lost 30 (30 to 30) ms
  at 40 ms for 10 ms: call 5 operation 4
  at 80 ms for 10 ms: call 9 operation 7
  at 120 ms for 10 ms: call 13 operation 10
sync-in-loop app.cu:33, 3 times, blocked 120 ms, lost 0 (0 to 0) ms, folded
  at 0 ms for 40 ms: call 4 operation 4 cause 3, stream 40 ms
  at 40 ms for 40 ms: call 8 operation 7 cause 6, stream 40 ms
  at 80 ms for 40 ms: call 12 operation 10 cause 9, stream 40 ms
