-- As host-early.sql, but a wait had ended before: whichever it was, it may have told the host. A wait that ended before
-- the copies did, told it nothing.
-- Base: races/host-early.sql
UPDATE copy_watches SET end_ns = end_ns + 20000000;
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 50, 3, 20.01);
-- Found:
unseen: launch arguments are not recorded
