#include "findings/whatif_edits.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "detectors/detector.h"
#include "replay/edits/bound.h"

#include <stdlib.h>
#include <string.h>

static int compare_found(const void *a, const void *b)
{
	const struct finding *const *x = a, *const *y = b;

	return ((*x)->order > (*y)->order) - ((*x)->order < (*y)->order);
}

const struct finding **whatif_parts(const struct finding *const *findings, size_t count,
				    size_t *part_count)
{
	const struct finding **parts;
	size_t most = 0;

	for (size_t i = 0; i < count; i++)
		most += finding_part_count(findings[i]);
	parts = memory_array(most, sizeof(*parts));
	*part_count = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < finding_part_count(findings[i]); k++)
			parts[(*part_count)++] = finding_part(findings[i], k);
	return parts;
}

struct edits *whatif_make_edits(const struct analysis *analysis,
				const struct finding *const *findings, size_t count,
				enum doubt doubt)
{
	struct edits *edits = edits_create(analysis->observed.model);
	size_t part_count;
	const struct finding **sorted = whatif_parts(findings, count, &part_count);

	if (part_count)
		qsort(sorted, part_count, sizeof(*sorted), compare_found);
	for (size_t i = 0; i < part_count; i++)
		if (sorted[i]->detector->apply)
			sorted[i]->detector->apply(&analysis->observed, sorted[i]->instances,
						   sorted[i]->instance_count, doubt, edits);
	free(sorted);
	return edits;
}

/* What a later pass found can be added to what the first one did, as far as the run has it. */
static int64_t add_later(const struct analysis *analysis, const struct finding *const *findings,
			 size_t count, const struct bound_change *change, int64_t bound_ns)
{
	int64_t later_ns = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < finding_part_count(findings[i]); k++)
			later_ns += finding_part(findings[i], k)->later_ns;
	if (!later_ns)
		return bound_ns;
	return max_ns(bound_ns,
		      min_ns(bound_ns + later_ns, bound_spare(analysis->observed.model, change)));
}

/* What the findings' instances reach without a fix; freed with free(). */
static struct span *find_reaches(const struct finding *const *findings, size_t count, bool is_both,
				 size_t *span_count)
{
	size_t part_count, most = 0;
	const struct finding **parts = whatif_parts(findings, count, &part_count);
	struct span *spans;

	*span_count = 0;
	for (size_t i = 0; i < part_count; i++)
		most += parts[i]->instance_count;
	spans = memory_array(most, sizeof(*spans));
	for (size_t i = 0; i < part_count; i++)
		for (size_t k = 0; k < parts[i]->instance_count; k++)
			if (!parts[i]->instances[k].is_later)
				spans[(*span_count)++] =
					is_both ? parts[i]->instances[k].reach_of_both
						: parts[i]->instances[k].reach;
	free(parts);
	return spans;
}

/* What is bounded: the spans are freed with free(). */
static struct bound_change change_of(const struct analysis *analysis,
				     const struct finding *const *findings, size_t count,
				     const struct edits *edits, struct span **spans,
				     size_t *span_count)
{
	struct bound_change change = bound_change_of(analysis->observed.model, edits);
	bool is_both = (count > 1 || (count && findings[0]->joined_count)) && change.frees_stream &&
		       change.frees_barrier;

	change.most_least_ns = analysis->check.most_least_ns;
	*spans = find_reaches(findings, count, is_both, span_count);
	return change;
}

int64_t whatif_bound_with(const struct analysis *analysis, const struct finding *const *findings,
			  size_t count, const struct edits *edits, bool fills_tails)
{
	size_t span_count;
	struct span *spans;
	struct bound_change change =
		change_of(analysis, findings, count, edits, &spans, &span_count);
	int64_t bound_ns;

	change.fills_tails = fills_tails;
	bound_ns = bound_saving(analysis->observed.model, spans, span_count, &change);
	free(spans);
	return add_later(analysis, findings, count, &change, bound_ns);
}

bool whatif_bound_reaches(const struct analysis *analysis, const struct finding *const *findings,
			  size_t count, const struct edits *edits, int64_t saved_ns)
{
	size_t span_count;
	struct span *spans;
	struct bound_change change =
		change_of(analysis, findings, count, edits, &spans, &span_count);
	bool reaches =
		bound_reaches(analysis->observed.model, spans, span_count, &change, saved_ns);

	free(spans);
	return reaches;
}

int64_t whatif_unedited_ns(const struct analysis *analysis)
{
	return (analysis->check.has_untraced ? analysis->check.untraced_ns
					     : analysis->check.replayed_ns) -
	       analysis->check.outside_ns;
}
