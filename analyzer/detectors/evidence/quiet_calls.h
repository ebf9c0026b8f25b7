/*
 * What launches, copies and event records take when others do something at the same time that slows
 * them, and what they take otherwise: calls that name a stream and waited for nothing.
 */
#ifndef STREAMTRACE_QUIET_CALLS_H
#define STREAMTRACE_QUIET_CALLS_H

#include "detectors/doubt.h"
#include "replay/edits/edits.h"
#include "replay/observed.h"

/* Of the calls of one function that nothing was beside. */
struct quiet {
	int64_t mean_ns, most_ns; /* most_ns: nine in ten took no longer */
	/* Beside it they take at least one and a half times as long, on the average of at least 32
	 * calls each. */
	bool is_slowed;
};

struct quiet_calls {
	const struct observed *observed;
	const uint32_t *beside;
	struct quiet *quiets; /* by index in trace.functions */
};

/* beside: by index in trace.calls, not 0 of calls beside which it was done; must outlive the result. */
struct quiet_calls quiet_calls_measure(const struct observed *observed, const uint32_t *beside);
void quiet_calls_free(struct quiet_calls *calls);

/* Of a call that was slowed, by its index; NULL: it is none. */
const struct quiet *quiet_calls_of(const struct quiet_calls *calls, size_t index);

/* Gives the slowed call the time that it takes otherwise; at the low end only where it took longer
 * than nine in ten of the others. */
void quiet_calls_quicken(const struct quiet_calls *calls, size_t index, enum doubt doubt,
			 struct edits *edits);

#endif
