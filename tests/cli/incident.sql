-- A file of the watch mode, without what was slow in it. Twenty normal steps of 10 ms: the thread works at train.py:30
-- for 4 ms, launches a kernel (app.cu:10), copies 1 MB (app.cu:11) and waits for 5 ms (app.cu:12). Step 48,213 begins
-- at 200 ms and takes `extra.ms` more; what is not said here of it is the case's. Five steps after it were recorded with
-- the device. Times and views are those of prelude.sql; a look each millisecond.
UPDATE metadata SET value = 'running' WHERE key = 'end';
INSERT INTO metadata VALUES ('process_id', '100'), ('working_directory', '/home/u'), ('host_states', 'on'),
  ('host_look_ns', '1000000'), ('event_waits', 'calls'), ('events', 'all'), ('host', 'here');
INSERT INTO stack VALUES (101, 0, '/home/u/train.py', 30, 'main', NULL), (102, 0, '/home/u/train.py', 31, 'main', NULL),
  (103, 0, '/home/u/loader.py', 12, 'fill', NULL);
CREATE TABLE extra (ms);

-- The usual parts of a step that begins at `at`, the later ones by `later` ms.
CREATE VIEW work AS SELECT 0 at, 0 later WHERE 0;
CREATE TRIGGER work_insert INSTEAD OF INSERT ON work BEGIN
  INSERT INTO call (function, stream, line, enter, leave) VALUES
    ('__cudaLaunchKernel', 13, 10, NEW.at + NEW.later + 4, NEW.at + NEW.later + 4.1),
    ('cudaMemcpyAsync', 13, 11, NEW.at + NEW.later + 4.2, NEW.at + NEW.later + 4.3);
  INSERT INTO host_state VALUES (100, 'running', 101, NEW.at, NEW.at + 4, 0, 0, NULL);
END;
CREATE VIEW wait AS SELECT 0 enter, 0 leave WHERE 0;
CREATE TRIGGER wait_insert INSTEAD OF INSERT ON wait BEGIN
  INSERT INTO call (function, stream, line, enter, leave) VALUES ('cudaStreamSynchronize', 13, 12, NEW.enter, NEW.leave);
  INSERT INTO host_state VALUES (100, 'in the driver', NULL, NEW.enter, NEW.leave, 0, 0, '/dev/nvidia0');
END;

UPDATE rounds SET times = 20, ms = 10;
INSERT INTO work VALUES (0, 0);
INSERT INTO wait VALUES (4.5, 9.5);
UPDATE rounds SET times = 1, ms = 0;
INSERT INTO steps SELECT 48193 + n, 100, 1000000000 + n * 10000000, 1010000000 + n * 10000000, 'nvtx', 'normal', 100000 * (n % 3)
  FROM number WHERE n < 20;
