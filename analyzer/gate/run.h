/*
 * What a gate keeps of a trace: its findings by identity, the calls of its places, and why it cannot
 * tell. One thread.
 */
#ifndef STREAMTRACE_GATE_RUN_H
#define STREAMTRACE_GATE_RUN_H

#include "findings/analysis.h"
#include "gate/gate.h"
#include "gate/places.h"
#include "gate/scale.h"

/* What a detector found in a line. A place can have several. Where lines share a cause, and so a fix, each has
 * a part of what that saves, as its waits are of theirs: what they say of a place does not depend on the other
 * lines' names. */
struct gate_finding {
	const char *identity; /* "pageable-copy load.cu:load_batch": the same in every trace */
	const char *id, *title, *fix;
	const char *place;	    /* its name in the identity */
	struct gate_place at;	    /* the line that costs most */
	const char *evidence;	    /* the longest wait there */
	const char *reason;	    /* why it is allowed, or NULL */
	VECTOR(const char *) kinds; /* of the calls that it happens in (struct place_calls) */
	int64_t count;		    /* calls or operations */
	/* Of the first of several lines, what all save; where the others are, as text, or NULL. */
	struct interval all_saved;
	int64_t all_count;
	const char *others;
	uint64_t bytes; /* of their copies and sets */
	struct interval saved;
	int pass;	 /* that found it */
	bool is_shown;	 /* the report lists it */
	bool is_further; /* of several lines not the first */
	bool is_address; /* its place has no better name: that of another build differs */
};

struct gate_run {
	const char *path, *program, *device; /* NULL: not known */
	const char *rank;		     /* that a launcher gave it, or NULL */
	int64_t untraced_ns;
	int64_t lost_ns; /* what all findings that are shown and not allowed cost; -1: not known */
	VECTOR(struct gate_finding) findings; /* by identity; then what saves most first */
	place_calls_vector calls;	      /* by place and kind */
	work_counts work;
	VECTOR(const char *) doubts; /* why it cannot tell: half a sentence each */
	struct arena arena;
};

/* Neither trace nor analysis is needed afterwards. Entries of rules->allowed that match are used. */
struct gate_run *gate_run_collect(const struct trace *trace, const struct analysis *analysis,
				  const struct gate_rules *rules);

/* The first finding of that identity, of *count; NULL: none. */
const struct gate_finding *gate_run_find(const struct gate_run *run, const char *identity,
					 size_t *count);

void gate_run_free(struct gate_run *run);

#endif
