/*
 * Times host functions, whichever API the program calls: CUPTI's callback at a driver call's entry
 * replaces the program's function by ours (host_functions.h), and takes ours back if the driver
 * refuses the call.
 *
 * CUPTI's callbacks get the parameters themselves: the driver uses what is changed at the entry. No
 * document promises this; driver 580.159 on an H100 does so for all three calls, captured ones too.
 * With another driver host functions would run unchanged, without times.
 */
#ifndef STREAMTRACE_DRIVER_FUNCTIONS_H
#define STREAMTRACE_DRIVER_FUNCTIONS_H

#include "api/functions.h"

#include <cupti.h>

#include <stdbool.h>

/* Call at the entry and exit of each recorded driver call, on the program's thread. is_per_thread:
 * in this call stream handle 0 means the per-thread default stream. */
void driver_functions_enter(enum function function, const CUpti_CallbackData *data,
			    bool is_per_thread);
void driver_functions_exit(enum function function, const CUpti_CallbackData *data);

#endif
