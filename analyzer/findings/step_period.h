/*
 * Finds what begins each step of a run that repeats itself, in the list of what a thread enqueued. Knows nothing of
 * CUDA.
 *
 * A symbol stands for what was enqueued, such as a kernel. If it begins steps, what comes until its next occurrence is
 * a step: the same symbols in any order, in most steps, and about as many in nearly all (STEPS_ALIKE), as where a loss is
 * printed now and then. Breaks with much other work are rare. Loops in which each step is a loop of alike parts itself,
 * such as a model's layers, cannot be told from steps with breaks, and are not found. O(n) time and memory. One thread.
 */
#ifndef STREAMTRACE_STEP_PERIOD_H
#define STREAMTRACE_STEP_PERIOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct step_period {
	size_t *begins; /* indexes in the list, in order: the first of each step */
	size_t count;
};

/* symbols: below symbol_count each; count: below 2^32. start_ns: when each was enqueued, in order. False: the list does not repeat itself
 * for STEPS_COVER of its time, or not clearly. True: the caller must free() period->begins. */
bool step_period_find(const uint32_t *symbols, const int64_t *start_ns, size_t count,
		      uint32_t symbol_count, struct step_period *period);

#endif
