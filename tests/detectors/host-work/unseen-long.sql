-- As unseen.sql, but looks 0.5 ms apart: into each gap of 1 ms a look would have fallen, so that nobody looked at the
-- thread then. Four gaps are known, of which four workers take three: 5.1 ms with the other four.
-- Base: host-work/unseen.sql
UPDATE metadata SET value = '500000' WHERE key = 'host_look_ns';
-- Found:
wall 8.1 ms, overlapped 0 ms, lost 3 (2 to 3) ms, replayed 8.1 ms
host-work app.cu:44, 4 times, blocked 3.6 ms, lost 3 (2 to 3) ms
  at 0.1 ms for 0.9 ms: call 2 operation 2
  at 1.1 ms for 0.9 ms: call 3 operation 3
  at 2.1 ms for 0.9 ms: call 4 operation 4
