-- Two chunks step by step: both copies in, both kernels, both copies back, 80 ms. By the arguments of
-- its launch the first kernel needs the first copy alone, and could have begun at 10 ms; the second
-- one's results do not come from the first. With streams: copies in to 20, kernels 10 to 50, copies
-- back 30 to 40 and 50 to 60: 60 ms.
INSERT INTO allocation (address, size) VALUES
  (51000000, 1000000), (52000000, 1000000), (61000000, 1000000), (62000000, 1000000);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 30, 0, 0,  0, 10, 1000000, 51000000),
  ('h2d', 'pinned', 13, 30, 0, 0, 10, 20, 2000000, 52000000),
  ('kernel', NULL,  13, 31, 0, 0, 20, 40, NULL, NULL),
  ('kernel', NULL,  13, 31, 0, 0, 40, 60, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 0, 0, 60, 70, 11000000, 61000000),
  ('d2h', 'pinned', 13, 32, 0, 0, 70, 80, 12000000, 62000000);
INSERT INTO launch (call, reads, writes) VALUES (3, 51000000, 61000000), (4, 52000000, 62000000);
