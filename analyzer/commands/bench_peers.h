/*
 * Times copies from one GPU of this machine to another. measure_peers.h runs it in a child process. One
 * thread.
 */
#ifndef STREAMTRACE_BENCH_PEERS_H
#define STREAMTRACE_BENCH_PEERS_H

/* Returns the rate of a direct copy from GPU uuids[0] to GPU uuids[1], in bytes a second. 0: the first GPU cannot
 * reach the second directly. -1: the rate could not be measured. The first two devices that the driver shows must be
 * these GPUs, in this order; else the result is -1. uuids: spelled as devices.uuid in a trace
 * ("GPU-..." or "MIG-..."). The function leaves device memory and the driver in use: call it only in
 * a process that ends afterwards. */
double bench_peers(const char *const uuids[2]);

#endif
