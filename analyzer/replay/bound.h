/*
 * The most that a fix can bring back, for want of a replay.
 *
 * Two bounds hold together. Taking a constraint away cannot save more than the time from when it
 * held something until it fell: every operation starts later by at most that much before it.
 * (Nearly: an operation that comes earlier can change the order in which an engine takes the
 * others. Of 2,472 simulated programs with random streams, 39 gained more, by up to 13 % of the
 * run.) And no schedule of the same operations beats the busiest engine: it cannot begin before the
 * first operation that leads to it has run, nor before the host's own work between its calls up to
 * there is done, nor end before the last operation that follows from it. The smaller is the bound
 * of what a fix saves. Operations count with the times that they took, and those of one engine as
 * taking turns; with fills_tails kernels also use the room that small ones and the last waves of
 * others leave (occupancy.h).
 */
#ifndef STREAMTRACE_BOUND_H
#define STREAMTRACE_BOUND_H

#include "replay/edits.h"

/* The time covered by at least one of the spans. Sorts them. */
int64_t bound_covered(struct span *spans, size_t count);

/* What edits change, as far as a bound asks. Zeros: nothing. */
struct bound_change {
	const struct edits *edits; /* NULL: none */
	/* All pageable copies count as pinned where some are: one line's fix can be that of the
	 * others, and the bound then stays above what they save together. */
	bool pins_copies;
	bool unblocks_host; /* work from the whole run can come together, not only what was under
			       way */
	bool frees_stream, frees_barrier; /* which constraint of the device falls */
	bool fills_tails; /* kernels also come to use what others leave free of the device */
};

/* Without fills_tails. The edits must outlive it. */
struct bound_change bound_change_of(const struct model *model, const struct edits *edits);

/* The time of all calls and operations that the edits take away or make shorter, as far as they do,
 * but for copies that are pinned: their instances cover it. */
int64_t bound_shortened_ns(const struct model *model, const struct edits *edits);

/* The least time that the operations inside the window could take: pinned copies run as others do
 * (rates.h), or in no time where that is not known. */
int64_t bound_least_time(const struct model *model, struct span window,
			 const struct bound_change *change);

/* The time of the whole run beyond the least that it could take. */
int64_t bound_spare(const struct model *model, const struct bound_change *change);

/* The smaller of both for these spans and what the edits shorten: at least 0. */
int64_t bound_saving(const struct model *model, const struct span *spans, size_t count,
		     const struct bound_change *change);

#endif
