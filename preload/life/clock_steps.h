/*
 * Whether CLOCK_REALTIME was set while the program ran: each step is a row of losses, with a sample
 * of both clocks on either side. Writer thread only, but for clock_steps_start().
 */
#ifndef STREAMTRACE_CLOCK_STEPS_H
#define STREAMTRACE_CLOCK_STEPS_H

#include "store/store.h"

#include <stdbool.h>

/* Reads the clocks for the first time; before the writer thread runs. */
void clock_steps_start(void);

/* Reads them again. is_sample: a row of clock_samples also when nothing has moved. */
void clock_steps_check(struct store *store, bool is_sample);

#endif
