/*
 * Replaces host functions before they reach the driver, whichever API the program calls: CUPTI's
 * callbacks replace the program's by ours (host_functions.h), and take ours back when the driver
 * refuses it.
 *
 * CUPTI hands a callback the parameters themselves: the driver uses what it changes at the entry.
 * No document promises that; driver 580.159 on an H100 does so for all three calls, also captured
 * ones. With a driver that does not, host functions run unchanged, without times.
 */
#ifndef STREAMTRACE_DRIVER_FUNCTIONS_H
#define STREAMTRACE_DRIVER_FUNCTIONS_H

#include "api/functions.h"

#include <cupti.h>

#include <stdbool.h>

/* At the entry and at the exit of each driver call that is recorded. On the program's thread. */
void driver_functions_enter(enum function function, const CUpti_CallbackData *data,
			    bool is_per_thread);
void driver_functions_exit(enum function function, const CUpti_CallbackData *data);

#endif
