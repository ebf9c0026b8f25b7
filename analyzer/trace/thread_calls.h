/*
 * The calls of each thread in the order of time, for joining other rows by thread and time. One
 * thread. The trace must outlive them.
 */
#ifndef STREAMTRACE_THREAD_CALLS_H
#define STREAMTRACE_THREAD_CALLS_H

#include "base/sort.h"
#include "trace/trace.h"

/* rows: sorted by thread, then by start. key: the thread's id; index: the call's in trace.calls. */
struct thread_calls {
	struct sort_key *rows;
	size_t count;
};

/* Sorts all calls of the trace. The caller must free() rows of the result. */
struct thread_calls thread_calls_sort(const struct trace *trace);

/* The position in calls.rows of the thread's first call that starts at time_ns or later; if there
 * is none, the position where it would stand. */
size_t thread_calls_from(const struct trace *trace, const struct thread_calls *calls,
			 uint32_t thread_id, int64_t time_ns);

/* The thread's last call that started before time_ns (not at it); NULL: none. */
const struct trace_call *thread_calls_before(const struct trace *trace,
					     const struct thread_calls *calls, uint32_t thread_id,
					     int64_t time_ns);

/* The thread's first call that starts at time_ns or later, without sorted calls: for one question. NULL: none. */
const struct trace_call *thread_calls_next(const struct trace *trace, uint32_t thread_id,
					   int64_t time_ns);

#endif
