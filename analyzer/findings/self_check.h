/*
 * The replays without a fix. They tell whether replays land on the measured time, and so whether
 * replays with fixes predict another run. They also tell how long the run takes without the tracer.
 * One thread calls; the replays use all processors.
 */
#ifndef STREAMTRACE_SELF_CHECK_H
#define STREAMTRACE_SELF_CHECK_H

#include "replay/observed.h"

struct sample;

/* The time from the start of a device's first operation to the end of its last. */
struct device_check {
	int64_t measured_ns, replayed_ns;
};

struct self_check {
	int64_t replayed_ns;   /* the wall time of the unedited replay; -1: the replay failed */
	int64_t most_least_ns; /* bound_most_least_time() (replay/edits/bound.h) */
	/* The time of the replay with edits.is_best_case, without outside_ns; -1: the replay
	 * failed. */
	int64_t best_case_ns;
	double spread; /* how much equal operations' durations vary (spread.h) */
	/* The wall time without the tracer's cost, and its uncertainty. If the cost is unknown: the
	 * wall time and 0. Savings and shares refer to untraced_ns. */
	int64_t untraced_ns, untraced_doubt_ns;
	bool has_untraced;	 /* the library's part of the cost is known */
	bool has_untraced_cupti; /* CUPTI's part of the cost is known */
	/* The time of the windows before the first activity and after the last. It is a part of
	 * replayed_ns and of untraced_ns. */
	int64_t outside_ns;
	/* False: the unedited replay failed, or differs too much from the measured time. */
	bool has_estimates;
	struct device_check *devices; /* by index in model.device_ids; to be freed */
};

/* Replays the run. sample: the sample that the observed run is, or NULL. wall_ns: the measured
 * time. The caller frees .devices of the result; analysis_free() does so. */
struct self_check self_check_run(const struct observed *observed, const struct sample *sample,
				 int64_t wall_ns);

/* Whether an unedited replay is near enough to the measured time for edited replays to predict
 * runs. The limit is 2 % of measured_ns plus unsure_ns, by which a sample may be off. */
bool self_check_is_near(int64_t replayed_ns, int64_t measured_ns, double unsure_ns);

#endif
