/*
 * Work in a child process, for what a driver may not survive or never return from: this process keeps no CUDA
 * state. One thread.
 */
#ifndef STREAMTRACE_CHILD_H
#define STREAMTRACE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls work(input, answer) in a child that sees these GPUs alone (CUDA_VISIBLE_DEVICES) and in which no tool
 * joins, and copies the answer back. False: it ended otherwise, or took longer than *left_ms, of which what it
 * took is subtracted. An answer is at most 4,096 bytes; it is undefined then. */
bool child_run(const char *visible, void (*work)(const void *input, void *answer),
	       const void *input, void *answer, size_t answer_bytes, int64_t *left_ms);

#endif
