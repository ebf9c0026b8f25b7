-- As graphs.sql, but the host waits for the first graph before it launches the second one, whose kernel reads alone then.
-- Base: races/graphs.sql
DELETE FROM launch_arguments WHERE id = 4;
INSERT INTO launch_arguments VALUES (4, 0, 0, 0, 51000000), (4, 1, 1, 0, 71000000);
UPDATE operations SET start_ns = start_ns + 30000000, end_ns = end_ns + 30000000 WHERE correlation_id >= 7;
UPDATE calls SET start_ns = start_ns + 30000000, end_ns = end_ns + 30000000 WHERE id >= 7;
INSERT INTO call VALUES ('cudaStreamSynchronize', 23, NULL, 85, 2, 21);
-- Found:
1 times: cudaStreamSynchronize at app.cu:85 alone orders cudaMemcpyAsync at app.cu:70, which writes, before kernel copy at app.cu:72, which may read the same memory
1 times: cudaStreamSynchronize at app.cu:85 alone orders cudaMemcpyAsync at app.cu:70, which writes, before cudaMemcpyAsync at app.cu:90, which reads the same memory
