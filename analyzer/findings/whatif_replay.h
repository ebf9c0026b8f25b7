/* The run with the fixes of any findings applied, for `streamtrace whatif`. One thread calls; the
 * replays use all processors. */
#ifndef STREAMTRACE_WHATIF_REPLAY_H
#define STREAMTRACE_WHATIF_REPLAY_H

#include "findings/analysis.h"

/* Pointers belong to the trace. */
struct whatif {
	struct stated saved;	  /* what the fixes save together */
	struct headline headline; /* of the estimate's replay; origin_ns and lead_ns are 0 */
	enum engine busiest;	  /* the engine that is busy longest in the replay */
	/* The call that waits longest in the replay; NULL: none waits. */
	const struct trace_call *waiter;
	int64_t waits_since_ns, waits_ns; /* when it begins in the replay; how long it waits */
};

/* Replays the run with the fixes of the findings, each given once. analysis->check.has_estimates
 * must be true. */
struct whatif whatif_replay(const struct analysis *analysis, const struct finding *const *findings,
			    size_t count);

#endif
