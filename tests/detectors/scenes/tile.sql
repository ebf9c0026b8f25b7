-- A tile is copied in, computed and copied out in three streams, with events between them.
INSERT INTO metadata VALUES ('event_waits', 'calls');
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 21, 0, 0, 0, 10, 1000000, 51000000);
INSERT INTO call VALUES
  ('cudaEventRecord', 13, 1, 22, 0.125, 0.125),
  ('cudaStreamWaitEvent', 23, 1, 23, 0.25, 0.25);
INSERT INTO operation VALUES ('kernel', NULL, 23, 24, 0.375, 0.375, 10, 30, NULL, NULL);
INSERT INTO call VALUES
  ('cudaEventRecord', 23, 2, 25, 0.5, 0.5),
  ('cudaStreamWaitEvent', 24, 2, 26, 0.625, 0.625);
INSERT INTO operation VALUES ('d2h', 'pinned', 24, 27, 0.75, 0.75, 30, 40, 11000000, 51000000);
