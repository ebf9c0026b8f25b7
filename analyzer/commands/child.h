/*
 * Runs work in a child process: a driver may crash or hang in it, and this process keeps no CUDA state. One
 * thread.
 */
#ifndef STREAMTRACE_CHILD_H
#define STREAMTRACE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls work(input, answer) in a forked child, and copies answer_bytes of the answer back, at most 4,096. The child
 * sees only the GPUs in visible (CUDA_VISIBLE_DEVICES), and no tool is loaded by CUDA. *left_ms is how long the
 * caller waits at most; it must be > 0, and the time taken is subtracted from it. False: the child could not be
 * made, or gave no answer in time; *answer is undefined then. The child is killed in any case, and not waited for. */
bool child_run(const char *visible, void (*work)(const void *input, void *answer),
	       const void *input, void *answer, size_t answer_bytes, int64_t *left_ms);

#endif
