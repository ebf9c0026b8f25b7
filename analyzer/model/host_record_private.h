/* The inside of a record, shared by host_record.c and host_doings.c. */
#ifndef STREAMTRACE_HOST_RECORD_PRIVATE_H
#define STREAMTRACE_HOST_RECORD_PRIVATE_H

#include "base/vector.h"
#include "model/host_record.h"
#include "trace/thread_calls.h"

/* The states [first, first + count) of the trace are the thread's. */
struct host_thread {
	uint32_t id;
	bool has_own_code;
	size_t first, count;
};

/* What is known of a stack. */
struct host_site {
	enum host_frame_doing doing;
	bool is_own;
	uint32_t of_call; /* host_doing_of_call() of calls with this stack */
};

struct host_record_index {
	VECTOR(struct host_thread) threads;
	struct thread_calls calls;
	size_t *last_end; /* by position in calls.rows: of the thread's up to it the one that ends
			     * last */
	struct host_site *sites; /* by index in trace->sites */
	const struct trace_site *
		*told;	    /* by index in trace->host_states: the own code of the look, or of
					 * one beside it whose stack this is the rest of; NULL: unknown */
	uint32_t *doings;   /* by index in trace->host_states */
	bool *are_of_calls; /* by index in trace->host_states: the first look fell into a call */
	struct arena texts;
};

/* A record of a trace with host states, without doings. */
struct host_record *host_record_index(const struct trace *trace);

#endif
