/*
 * Finds where the period of repeated steps begins, in a list of steps from launch_sequences.c. One
 * thread.
 */
#ifndef STREAMTRACE_LAUNCH_PERIODS_H
#define STREAMTRACE_LAUNCH_PERIODS_H

#include "model/repeats.h"

/* Returns for each repeat how many of its steps come before the first period's begin, to be freed.
 * A period begins at the step before which the host worked longest, summed over all repeats of the
 * same steps (a loop that is interrupted is found as several repeats). symbols and work_ns (the
 * host's own work before the step) are indexed by step. */
size_t *launch_periods_find(const uint64_t *symbols, const int64_t *work_ns,
			    const struct repeat *repeats, size_t count);

#endif
