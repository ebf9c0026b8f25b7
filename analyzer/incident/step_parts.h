/*
 * What a step's time went to, in rows that several steps share: calls by line, what looks found the thread doing by
 * line, time without a processor, stops of the whole process, and time at which nobody looked. What a look found holds
 * until the thread's next call.
 *
 *	struct step_parts *parts = step_parts_create(trace);
 *	step_parts_add(parts, step, STEP_SLOW);
 *	step_parts_add(parts, other, STEP_NORMAL);	(each)
 *	step_parts_settle(parts);
 *
 * The rows of the step's thread add up to the step's time exactly. Times are ns. One thread; the trace must outlive
 * the parts.
 */
#ifndef STREAMTRACE_STEP_PARTS_H
#define STREAMTRACE_STEP_PARTS_H

#include "detectors/host/host_kinds.h"

enum part_what {
	PART_CALL,  /* in calls of one function at one line */
	PART_STATE, /* between calls, as looks found it */
	PART_READY, /* ready to run, and without a processor */
	PART_STOPPED, /* the whole process was, by SIGSTOP, a debugger, or a machine that stood still */
	PART_UNSEEN /* between calls, and nobody looked */
};

/* Of one side: the slow step, or the sum of all normal ones. */
struct part_sum {
	int64_t ns;
	double faults;	/* page faults, as far as they are known */
	size_t count;	/* calls */
	uint64_t bytes; /* of copies, sets and allocations */
};

/* What looks found in the calls of a row, of the slow step: the longest time of one kind. */
struct part_inside {
	const struct trace_host_state *state; /* NULL: nobody looked */
	enum host_frame_doing doing;
	int64_t ns;
};

struct step_part {
	enum part_what what;
	enum host_kind kind; /* PART_STATE */
	/* PART_CALL, and of PART_UNSEEN the call that it led to; NULL: none followed */
	const struct trace_function *function;
	struct site site; /* the line; PART_STOPPED has none */
	size_t line; /* PART_CALL, PART_UNSEEN before a call: the same number for the same line */
	const struct host_doing *doing;	      /* PART_STATE */
	const struct trace_host_state *state; /* PART_STATE: the longest of the slow step */
	const struct trace_call *longest;     /* PART_CALL: of the slow step, or NULL */
	const struct trace_call *first;	      /* likewise, the first one */
	uint32_t thread_id;
	bool is_elsewhere; /* calls of other threads, which are in no sum */
	struct span span;  /* of the slow step: its longest piece */
	struct part_sum slow, normal;
	struct part_inside inside; /* PART_CALL */
	struct host_others others; /* of the slow step's waits for a thread; sorted */
	int64_t extra_ns; /* step_parts_settle(): slow.ns less the mean of the normal ones */
	uint64_t key;
};

struct step_parts {
	const struct trace *trace;
	const struct host_record *record; /* NULL: no host states */
	struct step_part *rows;		  /* step_parts_settle(): by extra_ns, the largest first */
	size_t count;
	size_t normal_count;	 /* normal steps */
	int64_t slow_ns;	 /* the slow step's time */
	int64_t slow_read_bytes; /* what its thread read from storage in the slow step; -1: not known */
	int64_t normal_read_bytes; /* the sum of what threads read in normal steps whose reads are known */
	size_t normal_read_count; /* the number of these steps */
	struct step_parts_private *own;
};

struct step_parts *step_parts_create(const struct trace *trace);

/* Adds the time of a step that has ended. kind: STEP_SLOW of one step, STEP_NORMAL of any. */
void step_parts_add(struct step_parts *parts, const struct trace_step *step, enum step_kind kind);

/* Call once, after the last step: tells what is more, and of which kind work is. */
void step_parts_settle(struct step_parts *parts);
void step_parts_free(struct step_parts *parts);

/* The row of the calls of this call's function and line, of the step's thread or else of others; NULL: no step has such a
 * call. Call after step_parts_settle(). */
const struct step_part *step_parts_of_call(const struct step_parts *parts,
					   const struct trace_call *call);

/* What a normal step has of the row; 0: no normal step is there. */
double step_part_normal_ns(const struct step_parts *parts, const struct step_part *part);
double step_part_normal_count(const struct step_parts *parts, const struct step_part *part);
double step_part_normal_bytes(const struct step_parts *parts, const struct step_part *part);
/* What a normal step reads from storage. */
double step_parts_normal_read(const struct step_parts *parts);

#endif
