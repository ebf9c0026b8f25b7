/*
 * When the trace gets its file. A launcher, and a program that only looks at the devices, initialize CUDA
 * as well: they leave no file, and take no other process's name. Writer thread.
 */
#ifndef STREAMTRACE_FIRST_RECORD_H
#define STREAMTRACE_FIRST_RECORD_H

#include <stdbool.h>

/* Whether there is something to tell: a call, a loss, or that no window was opened. */
bool first_record_is_there(void);

#endif
