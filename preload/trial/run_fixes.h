/*
 * Fixes for the whole run that are set once for each device: the release threshold of its default memory pool, and
 * the stack of its kernels.
 */
#ifndef STREAMTRACE_TRIAL_RUN_FIXES_H
#define STREAMTRACE_TRIAL_RUN_FIXES_H

#include "trial/trial.h"

/* Sets what the page has. Call once for each device, with its context current. */
void run_fixes_make(CUdevice device);

#endif
