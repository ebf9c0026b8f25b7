/* The edits of findings' fixes, and the bounds of what they save. Any thread. */
#ifndef STREAMTRACE_WHATIF_EDITS_H
#define STREAMTRACE_WHATIF_EDITS_H

#include "detectors/doubt.h"
#include "findings/analysis.h"

struct edits;

/* Makes the findings' edits in the order in which the findings were found, to be freed by
 * edits_free(). */
struct edits *whatif_make_edits(const struct analysis *analysis,
				const struct finding *const *findings, size_t count,
				enum doubt doubt);

/* The bound of what the findings' edits save. If both constraints of the device are removed, what
 * either one delayed counts. */
int64_t whatif_bound_with(const struct analysis *analysis, const struct finding *const *findings,
			  size_t count, const struct edits *edits, bool fills_tails);

/* True: whatif_bound_with() without fills_tails is at least saved_ns. False: unknown. */
bool whatif_bound_reaches(const struct analysis *analysis, const struct finding *const *findings,
			  size_t count, const struct edits *edits, int64_t saved_ns);

/* The duration of a replay without changes: without the tracer's cost if that is known, as in every
 * edited replay. */
int64_t whatif_unedited_ns(const struct analysis *analysis);

#endif
