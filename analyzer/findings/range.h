/*
 * The range of a saving as it is shown.
 *
 * Its layers, in their order. (1) Replays: the low end keeps every doubtful dependence, the high end drops them
 * all, and bounds cap both (whatif_range.h). (2) The spread of like operations' times makes both ends wider
 * (spread.h). (3) A sample's error does, too (sampling.h). (4) What predictions miss of other programs does: of
 * programs that were measured with and without their fixes half lie in the range of the first three, for a run
 * differs from the next one, and replays have errors. The last layer is made here, once for each saving.
 *
 * The estimate stays, and so does a low end of 0; no high end passes the time from the first operation to the
 * last, but where that of the replays does. Without estimates both ends stay as they are.
 *
 * Only for what a person or a program reads. What compares findings, or decides which are listed, takes the
 * first three layers (interval_private.h): those do not depend on other programs.
 */
#ifndef STREAMTRACE_RANGE_H
#define STREAMTRACE_RANGE_H

#include <stdint.h>

struct finding;

/* A saving in ns, with all four layers; of a job, see job/report.h. */
struct stated {
	int64_t low_ns, estimate_ns, high_ns;
};

/* The ends of a finding's saving without the last layer, to compare it with another run's. */
struct range_ends {
	int64_t low_ns, high_ns;
};
struct range_ends range_compared(const struct finding *finding);

#endif
