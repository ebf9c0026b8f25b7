-- As shapes.sql, but what a launch works on is copied right before it, in its stream (1 ms, line 76), and the launches
-- begin half a ms later: 5.486 ms of each are the upload, for half a ms of which the copy runs. The graph can be uploaded
-- behind the launch before, in front of the host's wait.
-- Base: graph-launch-gap/shapes.sql
UPDATE calls SET start_ns = start_ns + 500000 WHERE site_id = 75;
INSERT INTO operation VALUES ('h2d', 'pinned', 23, 76, 5, 5, 5, 6, 1000000, 60000000);
-- Found:
wall 65 ms, overlapped 0 ms, lost 24 (20 to 24) ms, replayed 65 ms
sync-in-loop app.cu:77, 4 times, blocked 24 ms, lost 20 (20 to 20) ms
  at 11 ms for 6 ms: call 8 operation 4 cause 3, stream 6 ms
  at 23 ms for 6 ms: call 11 operation 7 cause 6, stream 6 ms
  at 35 ms for 6 ms: call 14 operation 10 cause 9, stream 6 ms
  fix: the other one
serial-stream app.cu:76, 4 times, blocked 24 ms, lost 4 (0 to 4) ms, with the others fixed
  at 11 ms for 6 ms: operation 4 cause 3
  at 18 ms for 6 ms: operation 7 cause 6
  at 25 ms for 6 ms: operation 10 cause 9
  fix: the other one
graph-launch-gap app.cu:75, 4 times, blocked 21.944 ms, lost 20 (20 to 20) ms
  in the order of the list: 0 ms
  at 17.514 ms for 5.486 ms: call 10 operation 5
  at 29.514 ms for 5.486 ms: call 13 operation 8
  at 41.514 ms for 5.486 ms: call 16 operation 11
