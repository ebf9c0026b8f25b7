/* Calls of functions in PTX. One thread. */
#ifndef STREAMTRACE_PTX_CALLS_H
#define STREAMTRACE_PTX_CALLS_H

#include "ptx/ptx_adding.h"

/* Adds "call (results), function, (passed);", and the function to names->called. */
void ptx_calls_add(const struct adding *adding);

#endif
