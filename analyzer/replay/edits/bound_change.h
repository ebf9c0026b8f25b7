/*
 * What edits change, as far as a bound (bound.h) asks: detectors state a fix by its edits alone.
 */
#ifndef STREAMTRACE_BOUND_CHANGE_H
#define STREAMTRACE_BOUND_CHANGE_H

#include "replay/edits/edits.h"

/* Zeros: nothing. */
struct bound_change {
	const struct edits *edits; /* NULL: none */
	/* All pageable copies count as pinned where some are: one line's fix can be that of the
	 * others, and the bound then stays above what they save together. */
	bool pins_copies;
	bool unblocks_host; /* any work of the run can overlap, not only what was pending */
	bool frees_stream, frees_barrier; /* which constraint of the device is removed */
	bool keeps_times;		  /* all operations take as long as they did */
	bool fills_tails;  /* kernels also use what others leave free of the device */
	bool may_lengthen; /* an operation can take longer than it did */
	/* bound_most_least_time() of the model; 0: it was not measured. It spares most bounds the least
	 * time. */
	int64_t most_least_ns;
};

/* Without fills_tails. The edits must outlive it. */
struct bound_change bound_change_of(const struct model *model, const struct edits *edits);

/* By how much the edits shorten or remove calls and operations, in sum. Copies that become pinned
 * are left out: their instances cover them. */
int64_t bound_change_shortened_ns(const struct model *model, const struct edits *edits);

/* What is left of the work, so long, that the thread did before the call (an index in trace.calls). */
int64_t bound_change_work_ns(const struct bound_change *change, size_t call, int64_t work_ns);

/* The new duration of the operation, and whether it can differ from the traced one. */
int64_t bound_change_duration_ns(const struct bound_change *change, const struct model *model,
				 const struct trace_operation *operation);
bool bound_change_is_timed(const struct bound_change *change, const struct model *model,
			   const struct trace_operation *operation);

/* The count given spans, then of each call and operation that is made shorter the last part, so
 * long; *count grows. Freed with free(); NULL where there is none. */
struct span *bound_change_spans(const struct bound_change *change, const struct model *model,
				const struct span *given, size_t *count);

#endif
