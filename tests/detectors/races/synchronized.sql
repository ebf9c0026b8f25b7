-- As kernel.sql, but the host waits for the copy before it enqueues the kernels: near-miss.
-- Base: races/kernel.sql
UPDATE calls SET start_ns = start_ns + 10500000, end_ns = end_ns + 10500000 WHERE site_id > 30;
INSERT INTO call VALUES ('cudaStreamSynchronize', 23, NULL, 40, 1, 10);
-- Found:
1 times: cudaStreamSynchronize at app.cu:40 alone orders cudaMemcpyAsync at app.cu:30, which writes, before kernel copy at app.cu:31, which may read the same memory
