/*
 * When the trace gets its file: at the first record. Launchers, and programs that only list the
 * devices, initialize CUDA too; they leave no file and take no other process's name. Writer thread.
 */
#ifndef STREAMTRACE_FIRST_RECORD_H
#define STREAMTRACE_FIRST_RECORD_H

#include <stdbool.h>

/* Whether the trace must get a file: a call was recorded or lost, or STREAMTRACE_START is "paused",
 * so that a trace without windows can say so. */
bool first_record_is_there(void);

#endif
