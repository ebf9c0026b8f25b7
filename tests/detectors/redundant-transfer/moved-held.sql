-- Six steps of 31 ms: a field goes up to one of two places in turn (10 ms), a kernel reads it and writes the other place
-- (10 ms), and the field comes down as it was (10 ms). Then the host works for 1 ms, in which it may have read the field:
-- it had those bytes already, so that the copy to the host goes, too. Two copies and six kernels are left: 80 of 185 ms,
-- with the host's work beside the kernels. The low end keeps the copies to the host: 5 x 10 ms less.
INSERT INTO strings VALUES (2, '_Z4readPKfPf');
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000);
UPDATE rounds SET times = 6, ms = 31;
INSERT INTO operation VALUES
  ('h2d', 'pinned', 7, 30, 0, 10, 0, 10, 11000000, 51000000),
  ('kernel', NULL, 7, 31, 10, 10, 10, 20, NULL, NULL),
  ('d2h', 'pinned', 7, 32, 10, 30, 20, 30, 11000000, 51000000);
CREATE TEMP TABLE odd AS SELECT id FROM calls WHERE (start_ns - 1000000000) / 31000000 % 2 = 1;
UPDATE calls SET dst = 61000000 WHERE site_id = 30 AND id IN odd;
UPDATE calls SET src = 61000000 WHERE site_id = 32 AND id IN odd;
UPDATE operations SET name_id = 2 WHERE kind = 1;
INSERT INTO launch SELECT id, iif(id IN odd, 61000000, 51000000), iif(id IN odd, 51000000, 61000000) FROM calls WHERE site_id = 31;
UPDATE calls SET numbers = 2147483648 + 100 WHERE site_id IN (30, 32);
-- Found:
wall 185 ms, overlapped 0 ms, lost 115 (50 to 143.75) ms, replayed 185 ms
redundant-transfer app.cu:30, 5 times, blocked 50 ms, lost 105 (50 to 131.25) ms
  at 31 ms for 10 ms: call 4 operation 4
  at 62 ms for 10 ms: call 7 operation 7
  at 93 ms for 10 ms: call 10 operation 10
serial-stream app.cu:32, 1 times, blocked 10 ms, lost 10 (0 to 10) ms, with the others fixed
  at 60 ms for 10 ms: operation 18 cause 17
not seen: host-bound: 5 5
