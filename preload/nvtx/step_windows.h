/*
 * Windows for steps: with STREAMTRACE_STEPS=100:110 the range that begins step 100 opens a window (recorder/windows.h), and
 * the one that begins step 110 closes it. In watch mode each range that begins a step is recorded as one
 * (recorder_step()).
 *
 * Steps are ranges whose name has STREAMTRACE_STEP in it, or without that a name of facts/step_names.def, in any case. The
 * first such range decides which others count: those of nvtxRangePush() on its thread, at its depth; or those of
 * nvtxRangeStart(), on any thread. Runs on the program's threads: no lock, no allocation.
 */
#ifndef STREAMTRACE_STEP_WINDOWS_H
#define STREAMTRACE_STEP_WINDOWS_H

#include "recorder/record.h"

#include <stdbool.h>

/* Whether steps matter. Constant after step_windows_initialize(). */
extern bool step_windows_are_on;

/* Reads the options. Call in the constructor. */
void step_windows_initialize(void);

/* Call before a range begins, if step_windows_are_on. level: equal for ranges of one thread and depth, never 0. */
void step_windows_range(const union range_record *begin, uint64_t level);

#endif
