/*
 * Judges waits by when the host first touched their results. The evidence is trace_first_use,
 * recorded by streamtrace run --first-use. A result is a D2H copy, or another operation that gives
 * the host data. Any thread.
 */
#ifndef STREAMTRACE_DETECTORS_FIRST_USE_H
#define STREAMTRACE_DETECTORS_FIRST_USE_H

#include "model/model.h"

/* Whether a wait was needed for one result. next: the operation that the waiting thread enqueued
 * next, or NULL. */
enum first_use_answer {
	FIRST_USE_UNKNOWN,    /* not watched from this wait on, nor from an earlier one */
	FIRST_USE_NEEDED,     /* touched before `next` was enqueued */
	FIRST_USE_MAY_NEED,   /* no touch was seen before `next`, but part of the result was not
			     * watched, or a thread without CUDA calls touches it */
	FIRST_USE_NOT_NEEDED, /* not touched before `next` was enqueued, or touched before the wait
			       * began, or covered by a later wait only */
};
enum first_use_answer first_use_ask(const struct model *model, const struct trace_call *wait,
				    const struct trace_operation *next,
				    const struct trace_operation *result);

/* The judgement of a wait with all its results. */
enum first_use_judgement {
	JUDGED_UNKNOWN,
	JUDGED_REMOVABLE, /* nothing was touched before the thread's next wait for the same work */
	JUDGED_MOVABLE,	  /* the wait can move behind the next work, by by_ns or more */
	JUDGED_NEEDED,
	JUDGED_COUNT
};

/* Values of by_ns with JUDGED_UNKNOWN: no result was added, or one whose use is unknown. */
#define FIRST_USE_NO_RESULT (-1)
#define FIRST_USE_NOT_KNOWN (-2)

struct first_use_label {
	enum first_use_judgement judgement;
	bool is_partial;	       /* not all bytes of the results were watched */
	int64_t by_ns;		       /* from the wait's return to the first touch; 0 with
			  * JUDGED_REMOVABLE */
	const struct trace_site *site; /* call site of the first touch, or NULL */
	enum first_use_kind kind;      /* kind of the first touch */
	/* Of the results that were added: how many; how many were watched whole; and how many the host touched or gave back
	 * before it waited for them again. */
	uint32_t places, watched, relied_on;
};

/* Judge a wait: call first_use_label_begin(), then add each of the wait's results. The judgement
 * then holds for all results added so far. One unknown result makes it JUDGED_UNKNOWN, unless
 * another result is needed. */
void first_use_label_begin(struct first_use_label *label);
void first_use_label_add(struct first_use_label *label, const struct model *model,
			 const struct trace_call *wait, const struct trace_operation *next,
			 const struct trace_operation *result);

/* Appends "; can move by 3.20 ms: then read at app.cu:12", "; needed: read 1.50 us later at
 * app.cu:12", "; removable: ..." or, with JUDGED_UNKNOWN, nothing to the text in text[size]. */
void describe_first_use(const struct model *model, const struct first_use_label *label, char *text,
			size_t size);

#endif
