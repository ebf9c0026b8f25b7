/*
 * The range of a saving as it is shown. Any thread.
 *
 * It has four layers, in this order. (1) Replays: the low end keeps every doubtful dependence, the
 * high end drops them all, and bounds cap both (whatif_range.h). (2) The spread of equal
 * operations' durations widens both ends (spread.h). (3) So does a sample's error (sampling.h). (4)
 * So do errors seen with other programs: of programs measured with and without their fixes, only
 * half lie in the range of the first three layers, because runs differ, and replays have errors.
 * This module adds the last layer, once for each saving.
 *
 * The estimate stays, and so does a low end of 0. No high end passes the time from the first
 * operation to the last, unless that of the replays does. Without estimates both ends stay as they
 * are.
 *
 * A stated range is only for what a person or program reads. Comparing findings, and deciding which
 * to list, uses the first three layers (interval_private.h), which do not depend on other programs.
 */
#ifndef STREAMTRACE_RANGE_H
#define STREAMTRACE_RANGE_H

#include <stdint.h>

struct finding;

/* A saving in ns with all four layers. For a job's see job/job_report.h. */
struct stated {
	int64_t low_ns, estimate_ns, high_ns;
};

/* The ends of a finding's saving without the last layer, for comparing it with another run's. */
struct range_ends {
	int64_t low_ns, high_ns;
};
struct range_ends range_compared(const struct finding *finding);

#endif
