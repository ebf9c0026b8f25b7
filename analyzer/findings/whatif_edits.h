/* The edits of findings' fixes, and the bound of what they save. Any thread. */
#ifndef STREAMTRACE_WHATIF_EDITS_H
#define STREAMTRACE_WHATIF_EDITS_H

#include "detectors/doubt.h"
#include "findings/analysis.h"

struct edits;

/* The findings' edits, made in the order in which they were found; freed with edits_free(). */
struct edits *whatif_make_edits(const struct analysis *analysis,
				const struct finding *const *findings, size_t count,
				enum doubt doubt);

/* The bound with the findings' edits. Where both constraints of the device fall, what either of
 * them delayed counts. */
int64_t whatif_bound_with(const struct analysis *analysis, const struct finding *const *findings,
			  size_t count, const struct edits *edits, bool fills_tails);

/* Whether that bound, without fills_tails, is surely at least so much: false says nothing. */
bool whatif_bound_reaches(const struct analysis *analysis, const struct finding *const *findings,
			  size_t count, const struct edits *edits, int64_t saved_ns);

/* The time of a replay without edits: without the tracer, where that is known, as every replay with
 * edits is. */
int64_t whatif_unedited_ns(const struct analysis *analysis);

#endif
