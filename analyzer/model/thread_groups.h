/*
 * Threads that do one line of work in turns.
 *
 * A framework hands a part of each step to another thread and goes on when that is done: JAX copies
 * scalars and reads results in threads of its own. No call shows that. But such threads are hardly
 * ever in calls at once, and what they enqueue changes from one to the other again and again, a few
 * calls at a time. And from one to the other it takes about as long each time; of threads that run
 * side by side the one comes behind the other by any time, down to none.
 */
#ifndef STREAMTRACE_THREAD_GROUPS_H
#define STREAMTRACE_THREAD_GROUPS_H

#include "trace/trace.h"

/* By index in trace.calls: the id of the thread that stands for the call's and for all that take
 * turns with it. Freed with free(). Linear in the calls but for a logarithm. */
uint32_t *thread_groups_find(const struct trace *trace);

#endif
