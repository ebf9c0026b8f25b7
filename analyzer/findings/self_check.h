/*
 * The replays without a fix: whether they land on the measured time, and so whether replays with fixes predict
 * another run; and how long the run takes without the tracer.
 */
#ifndef STREAMTRACE_SELF_CHECK_H
#define STREAMTRACE_SELF_CHECK_H

#include "replay/observed.h"

struct sample;

/* From a device's first operation to its last. */
struct device_check {
	int64_t measured_ns, replayed_ns;
};

struct self_check {
	int64_t replayed_ns;   /* the wall time of the unedited replay; -1: it failed */
	int64_t most_least_ns; /* bound_most_least_time() */
	int64_t best_case_ns;  /* replayed_ns with edits.is_best_case, without outside_ns */
	double spread;	       /* how much equal operations' durations vary (spread.h) */
	/* The wall time without the tracer's cost, and its uncertainty. If the cost is unknown: the wall
	 * time and 0. Savings and shares refer to untraced_ns. */
	int64_t untraced_ns, untraced_doubt_ns;
	bool has_untraced;	 /* the library's part of the cost is known */
	bool has_untraced_cupti; /* CUPTI's part is, too */
	int64_t outside_ns;	 /* part of both in the window before and after all activity */
	/* false: the unedited replay differs too much from the measured time, or failed */
	bool has_estimates;
	struct device_check *devices; /* by index in model.device_ids; to be freed */
};

/* sample: the sample that the run is, or NULL. wall_ns: the measured time. On all processors. */
struct self_check self_check_run(const struct observed *observed, const struct sample *sample,
				 int64_t wall_ns);

/* Whether an unedited replay is near enough to the measured time for edited replays to predict
 * runs: within 2 %, plus unsure_ns, by which a sample may be off. */
bool self_check_is_near(int64_t replayed_ns, int64_t measured_ns, double unsure_ns);

#endif
