-- As prepare.sql, of a C++ program: the look was in memcpy(), called in app.cu:90, in the function of the calls.
-- A native stack names the line where it parts from the call's.
-- Base: scenes/host-steps.sql
DELETE FROM python_frames;
UPDATE modules SET path = '/home/u/app';
UPDATE frames SET file = '/home/u/app.cu', line = site_id;
INSERT INTO stack VALUES (102, 0, NULL, NULL, 'memcpy', '/usr/lib/libc.so.6'),
  (102, 1, '/home/u/app.cu', 90, '_Z3runv', '/home/u/app');
INSERT INTO host_state VALUES (100, 'running', 102, 0, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 48 (0 to 48) ms, replayed 83 ms
host-work /home/u/app.cu:90, 8 times, blocked 56 ms, lost 47 (0 to 47) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
serial-stream /home/u/app.cu:40, 5 times, blocked 10 ms, lost 1 (0 to 1) ms, with the others fixed
  at 11 ms for 2 ms: operation 5 cause 4
  at 14 ms for 2 ms: operation 7 cause 6
  at 21 ms for 2 ms: operation 11 cause 10
  fix: the other one
