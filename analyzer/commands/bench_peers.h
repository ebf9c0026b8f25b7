/*
 * Copies from one GPU of this machine to another, timed: what measure_peers.h runs in a child process. One
 * thread.
 */
#ifndef STREAMTRACE_BENCH_PEERS_H
#define STREAMTRACE_BENCH_PEERS_H

/* Bytes a second of a direct copy from the first GPU to the second, which must be the first two that the driver
 * shows; 0: they cannot reach each other; -1: nothing came of it. Leaves the driver in use: for a process that
 * ends then. */
double bench_peers(const char *const uuids[2]);

#endif
