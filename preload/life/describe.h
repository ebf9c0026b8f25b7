/* What the trace says of the run as a whole: metadata of schema.sql, known when it begins. */
#ifndef STREAMTRACE_DESCRIBE_H
#define STREAMTRACE_DESCRIBE_H

#include "store/store.h"

/* Copies what the environment says, before the writer thread runs: on the program's thread, for its
 * own setenv() may run beside ours. The copies of an earlier call, in a fork's parent, are left. */
void describe_take_environment(void);

/* Stores it all, and that the trace begins now. Writer thread. */
void describe_run(struct store *store);

#endif
