/*
 * What each call waited for, and for how long: the waits of the replay (replay/observed/waits.c), told
 * apart.
 *
 * Built once from a timeline; times are the trace's. The parts of a call come one after the other,
 * and add up to its time: what its own stream blocked it for, then what other streams and then host
 * functions blocked it for longer, then its own copy, then what the call takes when nothing is
 * pending.
 */
#ifndef STREAMTRACE_EVIDENCE_H
#define STREAMTRACE_EVIDENCE_H

#include "model/model.h"

struct timeline; /* timeline_private.h */

struct evidence_split {
	int64_t own_ns;		  /* what the call takes when nothing is pending */
	int64_t stream_ns;	  /* earlier work of the stream that it named */
	int64_t other_streams_ns; /* work in other streams that was not done by then */
	int64_t function_ns;	  /* a host function in one of those streams */
	int64_t copy_ns;	  /* its own copy */
	int64_t staging_ns;	  /* the part of it that returned before its copy was done */
	int64_t queue_ns;	  /* the launch queue was full */
	int64_t unexplained_ns;
};

struct call_evidence {
	struct evidence_split split;
	/* The last to end of what it waited for, without its own copy; its own copy where there is
	 * nothing else; NULL: it waited for nothing. */
	const struct trace_operation *cause;
};

struct evidence;

/* Belongs to the caller; the model must outlive it, the timeline need not. */
struct evidence *evidence_build(const struct timeline *timeline);
void evidence_free(struct evidence *evidence);

struct call_evidence evidence_of(const struct evidence *evidence, const struct trace_call *call);

/* Whether it waited for something that the trace has; a query, with those before it. */
bool evidence_has_wait(const struct evidence *evidence, const struct trace_call *call);

/* The time in the call that was not its own. */
int64_t evidence_blocked_ns(const struct evidence_split *split);

#endif
