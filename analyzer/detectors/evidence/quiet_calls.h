/*
 * Measures how long launches, copies and event records take while other threads do something that
 * slows them, and otherwise. Only calls that name a stream and did not wait. One thread.
 */
#ifndef STREAMTRACE_QUIET_CALLS_H
#define STREAMTRACE_QUIET_CALLS_H

#include "detectors/doubt.h"
#include "replay/edits/edits.h"
#include "replay/observed.h"

/* For one function: its calls with nothing beside them. */
struct quiet {
	int64_t mean_ns, most_ns; /* most_ns: nine in ten took no longer */
	/* Calls beside it take on average at least one and a half times as long; both averages over
	 * at least 32 calls. */
	bool is_slowed;
};

struct quiet_calls {
	const struct observed *observed;
	const uint32_t *beside;
	struct quiet *quiets; /* by index in trace.functions */
};

/* Measures all functions. beside: by index in trace.calls, not 0 for calls beside which the slowing
 * was done; must outlive the result. Free by quiet_calls_free(). */
struct quiet_calls quiet_calls_measure(const struct observed *observed, const uint32_t *beside);
void quiet_calls_free(struct quiet_calls *calls);

/* The function's quiet calls, for a slowed call (by index); NULL: the call was not slowed. */
const struct quiet *quiet_calls_of(const struct quiet_calls *calls, size_t index);

/* Edits the slowed call to take as long as quiet ones; for the low end only if it took longer than
 * nine in ten of them. */
void quiet_calls_quicken(const struct quiet_calls *calls, size_t index, enum doubt doubt,
			 struct edits *edits);

#endif
