-- Four threads launch a kernel each in the legacy default stream and wait for it.
-- Base: scenes/h100.sql
INSERT INTO threads VALUES (101, 'app'), (102, 'app'), (103, 'app');
INSERT INTO allocation VALUES
  (51000000, 1000000), (52000000, 1000000), (53000000, 1000000), (54000000, 1000000);
INSERT INTO operation VALUES
  ('kernel', NULL, 7, 20, 0, 0,  0, 10, NULL, NULL),
  ('kernel', NULL, 7, 20, 0, 0, 10, 20, NULL, NULL),
  ('kernel', NULL, 7, 20, 0, 0, 20, 30, NULL, NULL),
  ('kernel', NULL, 7, 20, 0, 0, 30, 40, NULL, NULL);
INSERT INTO launch VALUES
  (1, 51000000, 51000000), (2, 52000000, 52000000), (3, 53000000, 53000000),
  (4, 54000000, 54000000);
INSERT INTO call VALUES
  ('cudaStreamSynchronize', 7, NULL, 30, 0, 40),
  ('cudaStreamSynchronize', 7, NULL, 30, 0, 40),
  ('cudaStreamSynchronize', 7, NULL, 30, 0, 40),
  ('cudaStreamSynchronize', 7, NULL, 30, 0, 40);
UPDATE calls SET thread_id = 100 + (id - 1) % 4;
