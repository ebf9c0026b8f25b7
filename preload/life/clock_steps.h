/*
 * Detects that CLOCK_REALTIME was set while the program ran. Each step becomes a row of losses,
 * with a sample of both clocks before and after it.
 */
#ifndef STREAMTRACE_CLOCK_STEPS_H
#define STREAMTRACE_CLOCK_STEPS_H

#include "store/store.h"

#include <stdbool.h>

/* Reads both clocks for the first time. Call before the writer thread runs. */
void clock_steps_start(void);

/* Reads both clocks again. If CLOCK_REALTIME was set since the last reading, stores a row of losses
 * and samples. is_sample: stores a row of clock_samples even without a step. store: NULL where there is no file.
 * Returns whether it was set. Writer thread. */
bool clock_steps_check(struct store *store, bool is_sample);

#endif
