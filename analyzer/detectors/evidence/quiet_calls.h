/*
 * Compares launches, copies and event records that ran while other threads did something that slows
 * them with those that ran in quiet. Copies count only if they name a stream; no call counts that
 * waited. Any thread.
 */
#ifndef STREAMTRACE_QUIET_CALLS_H
#define STREAMTRACE_QUIET_CALLS_H

#include "detectors/doubt.h"
#include "replay/edits/edits.h"
#include "replay/observed.h"

/* The quiet calls of one function. Zeros if there are fewer than 32 quiet or 32 other calls. */
struct quiet {
	int64_t mean_ns, most_ns; /* most_ns: nine in ten took no longer; at least mean_ns */
	/* The other calls take on average at least one and a half times mean_ns. */
	bool is_slowed;
};

struct quiet_calls {
	const struct observed *observed;
	const uint32_t *beside;
	struct quiet *quiets; /* by index in trace.functions */
};

/* Measures all functions. beside: by index in trace.calls, not 0 for calls that were not in quiet.
 * observed and beside must outlive the result, which quiet_calls_free() frees. */
struct quiet_calls quiet_calls_measure(const struct observed *observed, const uint32_t *beside);
void quiet_calls_free(struct quiet_calls *calls);

/* The quiet calls of the function that trace.calls[index] calls. NULL: that call was not slowed. */
const struct quiet *quiet_calls_of(const struct quiet_calls *calls, size_t index);

/* Adds to *edits that trace.calls[index] takes as long as quiet ones: most_ns with DOUBT_KEEP, else
 * mean_ns. A shorter call stays as it is. quiet_calls_of() the call must not be NULL. */
void quiet_calls_quicken(const struct quiet_calls *calls, size_t index, enum doubt doubt,
			 struct edits *edits);

#endif
