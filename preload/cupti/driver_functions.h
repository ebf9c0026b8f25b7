/*
 * Host functions on their way into the driver, by whichever API the program calls it: CUPTI's
 * callbacks replace the program's by ours (host_functions.h), and take ours back when the driver
 * refuses it.
 *
 * CUPTI hands a callback the parameters themselves: what it changes at the entry is what the driver
 * then works with. That is nowhere promised; driver 580.159 on an H100 does so for all three calls,
 * captured ones too. Where a driver does not, its host functions run as they are, without times.
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
