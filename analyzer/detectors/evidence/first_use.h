/*
 * Waits judged by when the host first touched their results: trace_first_use, recorded by
 * streamtrace run --first-use.
 */
#ifndef STREAMTRACE_DETECTORS_FIRST_USE_H
#define STREAMTRACE_DETECTORS_FIRST_USE_H

#include "model/model.h"

/* What is known of one result of a wait. next: what the waiting thread enqueued next. */
enum first_use_answer {
	FIRST_USE_UNKNOWN,  /* it was not watched from this wait or an earlier one on */
	FIRST_USE_NEEDED,   /* touched before that */
	FIRST_USE_MAY_NEED, /* no touch was seen before that, but a part was not watched, or another
			       thread that makes no calls touches it */
	FIRST_USE_NOT_NEEDED, /* not touched before that */
};
enum first_use_answer first_use_ask(const struct model *model, const struct trace_call *wait,
				    const struct trace_operation *next,
				    const struct trace_operation *result);

/* A wait with all its results. */
enum first_use_judgement {
	JUDGED_UNKNOWN,
	JUDGED_REMOVABLE, /* nothing was touched before the thread's next wait for the same */
	JUDGED_MOVABLE,	  /* it can move behind the next work, by at least by_ns */
	JUDGED_NEEDED,
	JUDGED_COUNT
};

/* In by_ns, before anything is known: there is no result, or one of which nothing is known. */
#define FIRST_USE_NO_RESULT (-1)
#define FIRST_USE_NOT_KNOWN (-2)

struct first_use_label {
	enum first_use_judgement judgement;
	bool is_partial; /* not all that it brought was watched */
	int64_t by_ns;	 /* from the wait's return to the first touch; not REMOVABLE */
	const struct trace_site *site; /* of that touch, or NULL */
	enum first_use_kind kind;      /* likewise */
};

/* Begin, then add each result. One result that is not known makes the whole unknown, unless another
 * is needed. */
void first_use_label_begin(struct first_use_label *label);
void first_use_label_add(struct first_use_label *label, const struct model *model,
			 const struct trace_call *wait, const struct trace_operation *next,
			 const struct trace_operation *result);

/* "; movable by 3.20 ms: then read at app.cu:12", or nothing: behind the text[size]. */
void describe_first_use(const struct model *model, const struct first_use_label *label, char *text,
			size_t size);

#endif
