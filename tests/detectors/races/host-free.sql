-- cudaFree() in which the copies ended: only luck orders them before what the host does then.
-- Base: races/host-early.sql
UPDATE copy_watches SET end_ns = end_ns + 20000000;
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 50, 3, 20.01);
UPDATE calls SET dst = 99 WHERE site_id = 50;
-- Found:
by luck, 1 times: cudaMemcpyAsync at app.cu:30 reads, host at line 40 writes, 14 ms apart, by the wait in cudaFree at app.cu:50
by luck, 1 times: cudaMemcpyAsync at app.cu:31 writes, host at line 41 reads, 15 ms apart, by the wait in cudaFree at app.cu:50
by luck, 1 times: cudaMemcpyAsync at app.cu:32 reads, host at line 42 writes, 6 ms apart, by the wait in cudaFree at app.cu:50
unseen: launch arguments are not recorded
