/*
 * The calls of each thread in the order of time, for what is joined with them by thread and time.
 *
 * One thread. The trace must outlive them.
 */
#ifndef STREAMTRACE_THREAD_CALLS_H
#define STREAMTRACE_THREAD_CALLS_H

#include "base/sort.h"
#include "trace/trace.h"

/* The key is the thread, the index that of the call. Freed with free(rows). */
struct thread_calls {
	struct sort_key *rows;
	size_t count;
};

struct thread_calls thread_calls_sort(const struct trace *trace);

/* Index in calls.rows of the thread's first call that starts at the time or later, or of what
 * stands there. */
size_t thread_calls_from(const struct trace *trace, const struct thread_calls *calls,
			 uint32_t thread_id, int64_t time_ns);

/* The thread's last call that started before, or NULL. */
const struct trace_call *thread_calls_before(const struct trace *trace,
					     const struct thread_calls *calls, uint32_t thread_id,
					     int64_t time_ns);

#endif
