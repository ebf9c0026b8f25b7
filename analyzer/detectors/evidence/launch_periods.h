/*
 * Where the period of repeated steps begins, in a list of steps as launch_sequences.c makes it. One thread.
 */
#ifndef STREAMTRACE_LAUNCH_PERIODS_H
#define STREAMTRACE_LAUNCH_PERIODS_H

#include "model/repeats.h"

/* By repeat: behind how many steps of it a period begins, where the host worked longest before a step, in all
 * repeats of the same steps together: where something interrupts a loop they are found apart. symbols and
 * work_ns (the host's own, before it): by step. Freed with free(). */
size_t *launch_periods_find(const uint64_t *symbols, const int64_t *work_ns,
			    const struct repeat *repeats, size_t count);

#endif
