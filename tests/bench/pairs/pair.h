/*
 * What the programs in this folder share: option, clock, checksum, and the end on a failed call.
 * Any thread may call CHECK; the rest is the main thread's. Every failure ends the program: one
 * line on stderr, status 1 (2 for a wrong option).
 */
#ifndef STREAMTRACE_BENCH_PAIR_H
#define STREAMTRACE_BENCH_PAIR_H

#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* _exit: two threads may fail at once, and exit() is for one. */
inline void pair_check(cudaError_t error, const char *call, const char *file, int line)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "%s:%d: %.*s: %s\n", file, line, (int)strcspn(call, "("), call,
		cudaGetErrorString(error));
	_exit(1);
}

#define CHECK(call) pair_check((call), #call, __FILE__, __LINE__)

/* Fixed: without the pitfalls that the program is about. Spread: nor with what the report finds in
 * the fixed one, too few streams for the work. */
enum pair_twin { PAIR_BROKEN, PAIR_FIXED, PAIR_SPREAD };

/* last: the program's last twin. */
inline enum pair_twin pair_parse(int argc, char **argv, enum pair_twin last)
{
	if (argc == 1)
		return PAIR_BROKEN;
	if (argc == 2 && strcmp(argv[1], "--fixed") == 0)
		return PAIR_FIXED;
	if (argc == 2 && last == PAIR_SPREAD && strcmp(argv[1], "--spread") == 0)
		return PAIR_SPREAD;
	fprintf(stderr, "Usage: %s [--fixed%s]\n", argv[0],
		last == PAIR_SPREAD ? " | --spread" : "");
	exit(2);
}

inline int64_t pair_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* FNV-1a over words: `hash` is 0 at first, then what the call before returned. */
inline uint64_t pair_checksum(uint64_t hash, const uint32_t *words, size_t count)
{
	hash = hash ? hash : 0xcbf29ce484222325u;
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ words[i]) * 0x100000001b3u;
	return hash;
}

inline void pair_print(uint64_t checksum, int64_t time_ns)
{
	printf("checksum 0x%016llx\n", (unsigned long long)checksum);
	printf("time %.3f s\n", (double)time_ns / 1e9);
}

#endif
