/*
 * Times copies from one GPU of this machine to another. measure_peers.h runs it in a child process. One
 * thread.
 */
#ifndef STREAMTRACE_BENCH_PEERS_H
#define STREAMTRACE_BENCH_PEERS_H

/* The rate of a direct copy from GPU uuids[0] to uuids[1], in bytes a second. 0: they cannot reach each other. -1: it
 * could not be measured. The first two devices that the driver shows must be these GPUs, in this order, else -1. Frees
 * nothing and leaves the driver in use: call only in a process that ends afterwards. */
double bench_peers(const char *const uuids[2]);

#endif
