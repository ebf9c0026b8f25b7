/*
 * Finds threads that take turns in one sequence of work.
 *
 * A framework may hand a part of each step to another thread and go on when that part is done: JAX
 * copies scalars and reads results in threads of its own. No call shows this. But such threads are
 * hardly ever in calls at once. Enqueueing switches between them again and again, after a few
 * calls. And the time from one thread's call to the other's is about equal each time; between
 * independent threads that time varies freely, down to zero.
 */
#ifndef STREAMTRACE_THREAD_GROUPS_H
#define STREAMTRACE_THREAD_GROUPS_H

#include "trace/trace.h"

/* Returns, by index in trace.calls, the id of the thread that stands for the call's thread and all
 * threads that take turns with it. The caller must free() the array. One thread. */
uint32_t *thread_groups_find(const struct trace *trace);

#endif
