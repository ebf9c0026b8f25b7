/*
 * Runs work in a child process: a driver may crash or hang in it, and this process keeps no CUDA state. One
 * thread.
 */
#ifndef STREAMTRACE_CHILD_H
#define STREAMTRACE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls work(input, answer) in a forked child. Copies the child's *answer of answer_bytes bytes into the caller's;
 * answer_bytes must be at most 4,096. The child sees only the GPUs in visible (CUDA_VISIBLE_DEVICES), and CUDA loads
 * no tool into the child. *left_ms is how long the caller waits at most. It must be > 0; the time taken is
 * subtracted, so that *left_ms may be negative afterwards. False: the child could not be made, it crashed, or it
 * gave no answer in time; *answer is undefined then. The child is always killed, but the function does not wait for
 * its end: the child may stay a zombie until this process ends. */
bool child_run(const char *visible, void (*work)(const void *input, void *answer),
	       const void *input, void *answer, size_t answer_bytes, int64_t *left_ms);

#endif
