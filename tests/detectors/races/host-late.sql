-- The copies had ended, and nothing had told the host: possible.
-- Base: races/host-early.sql
UPDATE copy_watches SET end_ns = end_ns + 20000000;
INSERT INTO call VALUES ('cudaStreamSynchronize', 24, NULL, 50, 1, 2);
-- Found:
possible, 1 times: cudaMemcpyAsync at app.cu:30 reads, host at line 40 writes, 14 ms apart
possible, 1 times: cudaMemcpyAsync at app.cu:31 writes, host at line 41 reads, 15 ms apart
possible, 1 times: cudaMemcpyAsync at app.cu:32 reads, host at line 42 writes, 6 ms apart
unseen: launch arguments are not recorded
