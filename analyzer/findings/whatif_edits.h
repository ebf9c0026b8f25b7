/* The edits of findings' fixes, and the bounds of what they save. Any thread. */
#ifndef STREAMTRACE_WHATIF_EDITS_H
#define STREAMTRACE_WHATIF_EDITS_H

#include "detectors/doubt.h"
#include "findings/analysis.h"

struct edits;

/* The findings with all that is joined to them; the caller frees the array of *part_count. */
const struct finding **whatif_parts(const struct finding *const *findings, size_t count,
				    size_t *part_count);

/* Makes the edits of the findings' fixes, in the order in which the findings were found. The caller
 * frees the result by edits_free(). */
struct edits *whatif_make_edits(const struct analysis *analysis,
				const struct finding *const *findings, size_t count,
				enum doubt doubt);

/* The upper bound, in ns, of what the findings' edits can save together; 0 or more. If the edits
 * remove both constraints of the device (stream and barrier), time that either one delayed counts.
 * edits: of these findings. fills_tails: see struct bound_change (replay/edits/bound_change.h). */
int64_t whatif_bound_with(const struct analysis *analysis, const struct finding *const *findings,
			  size_t count, const struct edits *edits, bool fills_tails);

/* A quick test: if true, whatif_bound_with() without fills_tails is at least saved_ns. False tells
 * nothing. */
bool whatif_bound_reaches(const struct analysis *analysis, const struct finding *const *findings,
			  size_t count, const struct edits *edits, int64_t saved_ns);

/* The time in ns of a replay without fixes, to compare replays with fixes with. It is without
 * check.outside_ns, and without the tracer's cost if that is known, as all edited replays are. */
int64_t whatif_unedited_ns(const struct analysis *analysis);

#endif
