/*
 * Turns: in a run that has them (facts/trial_page.h), fixes of calls are switched off and on in the process, and each turn's time is
 * measured. A turn ends, and the next one begins, at a call of the page's turn site; its first calls let the fixes get ready and
 * the program into its stride.
 *
 * At both ends of what is measured the device is waited for, with and without fixes alike: a turn's time is that of its whole work.
 * When the fixes are switched off, what they hold is given back. The turns are over when one of these waits fails, a stream is
 * captured or the process forks, for the child; then nothing is fixed any more. The calls of one thread count, the first one's.
 */
#ifndef STREAMTRACE_TRIAL_TURNS_H
#define STREAMTRACE_TRIAL_TURNS_H

#include "trial/trial.h"

/* Call before each call is made, where the driver may be asked. Costs two loads where it is not of the turn site. */
void turns_see(const struct trial_call *call);

/* Ends the turns, of which there may be none. Any thread. */
void turns_stop(enum cudart cudart);

#endif
