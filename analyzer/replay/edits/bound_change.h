/*
 * What edits change, as far as a bound (bound.h) needs to know: derived from the edits alone, by
 * which detectors state a fix. One thread.
 */
#ifndef STREAMTRACE_BOUND_CHANGE_H
#define STREAMTRACE_BOUND_CHANGE_H

#include "replay/edits/edits.h"

/* All zeros: no change. */
struct bound_change {
	const struct edits *edits; /* NULL: none */
	/* If some pageable copies are pinned, all count as pinned: one line's fix may be the
	 * others', too, and the bound must stay above what all save together. */
	bool pins_copies;
	bool unblocks_host; /* any of the run's work can overlap, not only what was pending */
	bool frees_stream, frees_barrier; /* which of the device's constraints is removed */
	bool keeps_times;		  /* all operations keep their durations */
	bool fills_tails;  /* kernels also use what others leave free of the device */
	bool may_lengthen; /* an operation may take longer than it did */
	/* bound_most_least_time() of the model, which makes most bounds cheaper; 0: not
	 * computed. */
	int64_t most_least_ns;
};

/* The change for these edits, without fills_tails. The edits must outlive it. */
struct bound_change bound_change_of(const struct model *model, const struct edits *edits);

/* By how much the edits shorten or remove calls and operations, summed. Without copies that become
 * pinned: their instances cover them. */
int64_t bound_change_shortened_ns(const struct model *model, const struct edits *edits);

/* How much is left of work_ns, the work that the thread did before the call (index in
 * trace.calls). */
int64_t bound_change_work_ns(const struct bound_change *change, size_t call, int64_t work_ns);

/* The operation's new duration; and whether it can differ from the traced one. */
int64_t bound_change_duration_ns(const struct bound_change *change, const struct model *model,
				 const struct trace_operation *operation);
bool bound_change_is_timed(const struct bound_change *change, const struct model *model,
			   const struct trace_operation *operation);

/* Returns `given` (*count spans), plus for each call and operation that gets shorter its last part,
 * as long as the saving; to be freed. *count: increased. NULL: none. */
struct span *bound_change_spans(const struct bound_change *change, const struct model *model,
				const struct span *given, size_t *count);

#endif
