/*
 * Turns: in a run that has them (facts/trial_page.h), fixes of calls are switched off and on in the process, and each turn's time is
 * measured. A turn ends, and the next one begins, at a call of the page's turn site; its first calls let the fixes get ready and
 * the program into its stride.
 *
 * At both ends of what is measured the context's device is waited for, with and without fixes alike: a turn's time is that of its
 * whole work. When the fixes are switched off, dropped waits are made up and held blocks freed; a ring's memory stays, and so does
 * a block that another thread was about to hold. The turns are over when one of these waits fails or a stream is captured, and in
 * a forked child; then nothing is fixed any more. The calls of one thread count, the first one's.
 */
#ifndef STREAMTRACE_TRIAL_TURNS_H
#define STREAMTRACE_TRIAL_TURNS_H

#include "trial/trial.h"

/* Call before each call is made, where the driver may be asked. Without turns it costs a load, with
 * them a look-up of the site. */
void turns_see(const struct trial_call *call);

/* Ends the turns, of which there may be none. Call before a stream is captured. Any thread; may wait as long as they wait for the
 * device. */
void turns_stop(enum cudart cudart);

#endif
