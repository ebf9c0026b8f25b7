/*
 * Evidence: what each call waited for, and for how long. It is made from the replay's waits
 * (replay/observed/waits.c), split by cause.
 *
 * Built once from a timeline; times are the trace's ns. The parts of a call follow each other and
 * add up to its duration: blocked by its own stream, then longer by other streams, then longer by
 * host functions, then its own copy, then the time that the call takes if nothing is pending. One
 * thread builds it; afterwards any thread may read.
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
	int64_t staging_ns;	  /* instead of copy_ns, if the call returned before its own copy
				   * was done: the part of the copy in the call */
	int64_t queue_ns;	  /* blocked because the launch queue was full */
	int64_t unexplained_ns;	  /* longer than its own time, for no cause that is known */
};

struct call_evidence {
	struct evidence_split split;
	/* Of the operations that the call waited for, its own copy left out, the one that ended
	 * last; if there is none, its own copy. NULL: the call waited for no operation. */
	const struct trace_operation *cause;
};

struct evidence;

/* Builds the evidence of all calls. Free by evidence_free(). The timeline's model must outlive it,
 * the timeline need not. */
struct evidence *evidence_build(const struct timeline *timeline);
void evidence_free(struct evidence *evidence);

/* The evidence of a call, which must belong to the trace of the model. */
struct call_evidence evidence_of(const struct evidence *evidence, const struct trace_call *call);

/* Whether the call waited for something in the trace. A query waited if it ends a row of queries
 * that did. */
bool evidence_has_wait(const struct evidence *evidence, const struct trace_call *call);

/* The part of the call that was not its own time: the sum of all other members. */
int64_t evidence_blocked_ns(const struct evidence_split *split);

#endif
