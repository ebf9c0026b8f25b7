/* The run with the fixes of any findings applied, for `streamtrace whatif`. One thread. */
#ifndef STREAMTRACE_WHATIF_REPLAY_H
#define STREAMTRACE_WHATIF_REPLAY_H

#include "findings/analysis.h"

/* Pointers belong to the trace. */
struct whatif {
	struct stated saved;	  /* together */
	struct headline headline; /* of the estimate's timeline; origin_ns and lead_ns are 0 */
	enum engine busiest;
	/* The call that waits longest there, since when (from the first activity) and for how long;
	 * NULL: none waits. */
	const struct trace_call *waiter;
	int64_t waits_since_ns, waits_ns;
};

/* analysis->check.has_estimates must be true. */
struct whatif whatif_replay(const struct analysis *analysis, const struct finding *const *findings,
			    size_t count);

#endif
