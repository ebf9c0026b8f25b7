/*
 * What edits change, as far as a bound (bound.h) needs to know. It follows from the edits alone, by
 * which detectors state a fix. One thread.
 */
#ifndef STREAMTRACE_BOUND_CHANGE_H
#define STREAMTRACE_BOUND_CHANGE_H

#include "replay/edits/edits.h"

/* {.keeps_times = true} is no change; so are all zeros, but a bound then takes longer. */
struct bound_change {
	const struct edits *edits; /* NULL: none */
	/* Some pageable copies are pinned. Then all pageable copies count as pinned: one line's fix
	 * may fix other lines, too, and the bound must stay above what all save together. */
	bool pins_copies;
	bool unblocks_host; /* any of the run's work can overlap, not only what was pending */
	bool frees_stream, frees_barrier; /* the stream's order, or the barrier, is removed */
	bool keeps_times;		  /* true: all operations surely keep their durations */
	bool fills_tails;  /* kernels also use what others leave free of the device */
	bool may_lengthen; /* an operation may take longer than it did */
	/* bound_most_least_time() of the model, which makes most bounds cheaper; 0: not
	 * computed. */
	int64_t most_least_ns;
};

/* The change for these edits, without fills_tails. The edits must outlive it. */
struct bound_change bound_change_of(const struct model *model, const struct edits *edits);

/* The sum of the times by which the edits shorten or remove calls, operations and work before
 * calls. Copies that become pinned are left out: the spans of the detector's instances cover
 * them. */
int64_t bound_change_shortened_ns(const struct model *model, const struct edits *edits);

/* The least that may be left of work_ns, the work that the thread did before the call (an index in
 * trace.calls). */
int64_t bound_change_work_ns(const struct bound_change *change, size_t call, int64_t work_ns);

/* The operation's new duration in ns, and whether that can differ from the traced one. */
int64_t bound_change_duration_ns(const struct bound_change *change, const struct model *model,
				 const struct trace_operation *operation);
bool bound_change_is_timed(const struct bound_change *change, const struct model *model,
			   const struct trace_operation *operation);

/* Returns a new array: copies of the *count spans of `given`, and for each call, operation and work
 * before a call that gets shorter its last part, as long as the saving. Stores the new number of
 * spans in *count. The caller must free() the array; NULL: there are no spans. */
struct span *bound_change_spans(const struct bound_change *change, const struct model *model,
				const struct span *given, size_t *count);

#endif
