/*
 * Hashes of what cudaMemcpy() and cudaMemcpyAsync() brought to the host, by the order of the calls, of the first process
 * that calls CUDA. The program's threads hash, inside its calls: all bytes at some 10 GB/s, or 8 to 64 lines, as the page
 * says. All bytes of a large result delay the program by more than many a fix saves.
 *
 * A copy that the call waits for is hashed at its return. An asynchronous one into pinned memory is kept with an event
 * of its own, and hashed in the first call afterwards that waits or asks, once the event is done. It counts without a
 * hash where nothing may be read later: pageable memory, a captured stream, a destination that is copied to again or freed
 * before that, more than 256 kept.
 */
#ifndef STREAMTRACE_TRIAL_RESULTS_H
#define STREAMTRACE_TRIAL_RESULTS_H

#include "trial/trial.h"

/* The number of the copy, from 0, if the call copies to the host and counts, otherwise -1. Call before the copy. */
int results_number(const struct trial_call *call);
/* Call after the copy, with its number. */
void results_copied(const struct trial_call *call, int number);

/* Whether a copy is kept. Costs one load. */
bool results_are_kept(void);

/* Hashes what is done. Call after a call that waits or asks, and before one that frees host memory. */
void results_look(void);

/* Forgets kept copies to the memory that includes the address. NULL: all. Call before it is freed. */
void results_forget(const void *address);

#endif
