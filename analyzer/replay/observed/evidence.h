/*
 * Evidence: what each call waited for, and for how long. From the waits of the replay
 * (replay/observed/waits.c), split by cause.
 *
 * Built once from a timeline; times are the trace's. The parts of a call follow each other and add
 * up to its duration: blocked by its own stream, then longer by other streams, then longer by host
 * functions, then its own copy, then what the call takes if nothing is pending. After
 * evidence_build() any thread may read.
 */
#ifndef STREAMTRACE_EVIDENCE_H
#define STREAMTRACE_EVIDENCE_H

#include "model/model.h"

struct timeline; /* timeline_private.h */

struct evidence_split {
	int64_t own_ns;		  /* the call's own time, with nothing pending */
	int64_t stream_ns;	  /* blocked by earlier work of the stream that it named */
	int64_t other_streams_ns; /* blocked longer by work in other streams */
	int64_t function_ns;	  /* blocked longer by a host function in one of these streams */
	int64_t copy_ns;	  /* its own copy */
	int64_t staging_ns;	  /* the part of its own copy in a call that returned before the
				   * copy was done */
	int64_t queue_ns;	  /* the launch queue was full */
	int64_t unexplained_ns;
};

struct call_evidence {
	struct evidence_split split;
	/* Of what it waited for, except its own copy, the operation that ended last; without any,
	 * its own copy. NULL: it waited for nothing. */
	const struct trace_operation *cause;
};

struct evidence;

/* Free by evidence_free(). The model must outlive it, the timeline need not. */
struct evidence *evidence_build(const struct timeline *timeline);
void evidence_free(struct evidence *evidence);

struct call_evidence evidence_of(const struct evidence *evidence, const struct trace_call *call);

/* Whether the call waited for something in the trace; for a query: it and the queries before it. */
bool evidence_has_wait(const struct evidence *evidence, const struct trace_call *call);

/* The part of the call that was not its own time. */
int64_t evidence_blocked_ns(const struct evidence_split *split);

#endif
