/* Stores the metadata about the run as a whole (schema.sql) that is known when the trace begins. */
#ifndef STREAMTRACE_DESCRIBE_H
#define STREAMTRACE_DESCRIBE_H

#include "store/store.h"

/* Copies the environment's values that describe_run() stores. Call on the program's thread before
 * the writer thread runs: the program's setenv() may run at the same time later. In a forked child,
 * copies of the parent are leaked. */
void describe_take_environment(void);

/* Stores these metadata, with the current time as the trace's begin. Writer thread. */
void describe_run(struct store *store);

#endif
