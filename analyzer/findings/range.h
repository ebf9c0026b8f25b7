/*
 * The range of a saving as it is shown. Any thread.
 *
 * The range has four layers, in this order. (1) Replays: the low end keeps every doubtful
 * dependence, the high end drops them all, and bounds cap both (whatif_range.h). (2) The spread of
 * equal operations' durations widens both ends (spread.h). (3) A sample's error widens both ends
 * (sampling.h). (4) Each end is at least as far from the estimate as other programs' savings were from
 * theirs: of programs measured with and without their fixes, only half lie in the range of the first
 * three layers, because runs differ, and replays have errors. This module adds the last layer, once
 * for each saving. It is not added to the distance of the first three: what other programs missed
 * by has their doubts in it, too.
 *
 * The last layer does not change the estimate, or a low end of 0. It takes no high end beyond the
 * time from the first operation to the last. Without estimates it changes nothing.
 *
 * A stated range is only for what a person or program reads. Comparing findings, and deciding which
 * to list, uses the first three layers (interval_private.h), which do not depend on other programs.
 */
#ifndef STREAMTRACE_RANGE_H
#define STREAMTRACE_RANGE_H

#include <stdint.h>

struct finding;

/* A saving in ns with all four layers. A job's savings are made otherwise: see job/job_report.h. */
struct stated {
	int64_t low_ns, estimate_ns, high_ns;
};

/* The ends of a saving without the last layer. */
struct range_ends {
	int64_t low_ns, high_ns;
};

/* A saving of what the finding's instances took, and of other time that goes with them or can
 * overlap once they are gone; released_ns: of giving memory back. They add up to the estimate. In ns. */
struct saving_terms {
	int64_t own_ns, released_ns, overlap_ns;
};

struct saving_terms range_terms(const struct finding *finding);

/* Why the finding's range says little, and what would narrow it; without a full stop. NULL: the
 * range is narrow enough. Static. */
const char *range_doubt(const struct finding *finding);

/* The ends of the finding's saving, for comparing them with the same finding's in another run. */
struct range_ends range_compared(const struct finding *finding);

#endif
