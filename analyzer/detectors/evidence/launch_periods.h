/*
 * Finds the step at which a loop of launches begins. launch_sequences.c finds repeats in a thread's
 * steps; such a repeat can begin in the middle of the loop's body. Any thread.
 */
#ifndef STREAMTRACE_LAUNCH_PERIODS_H
#define STREAMTRACE_LAUNCH_PERIODS_H

#include "model/repeats.h"

/* Returns an array with an element for each repeat: how many of its steps come before the loop's
 * body begins. The caller frees the array. The body begins at the step before which the host worked
 * longest. The work is summed over all repeats of the same steps, because an interrupted loop is
 * found as several repeats. symbols[step]: what the step does. work_ns[step]: the host's own work
 * before it. */
size_t *launch_periods_find(const uint64_t *symbols, const int64_t *work_ns,
			    const struct repeat *repeats, size_t count);

#endif
