#include "findings/later.h"

#include "base/minmax.h"
#include "base/parallel.h"
#include "findings/finding.h"
#include "findings/interval_private.h"
#include "findings/whatif_run.h"

#include <stdlib.h>

/* Findings of a later pass beside those that are shown. */
struct weighing {
	const struct analysis *analysis;
	struct findings *findings; /* so far */
	finding_vector *found;
	const struct finding **shown;
	size_t shown_count;
	int64_t *estimates_ns; /* what those save; from 1 on with one of found, too */
	bool *are_worthy;      /* by index in found */
};

/* Those that are shown, with room for one more; freed with free(). */
static const struct finding **copy_shown(const struct weighing *weighing)
{
	const struct finding **shown = memory_array(weighing->shown_count + 1, sizeof(*shown));

	for (size_t i = 0; i < weighing->shown_count; i++)
		shown[i] = weighing->shown[i];
	return shown;
}

static void estimate_found(void *context, size_t index)
{
	const struct weighing *weighing = context;
	const struct finding **shown = copy_shown(weighing);
	size_t count = weighing->shown_count;

	if (index > 0)
		shown[count++] = &weighing->found->items[index - 1];
	weighing->estimates_ns[index] = whatif_estimate(weighing->analysis, shown, count, NULL);
	free(shown);
}

/* Returns whether any finding is worth more. Judged by the estimate only: both ends of a range need
 * replays of their own, and most findings of a later pass are not worth them. */
static bool find_worthy(struct weighing *weighing)
{
	finding_vector *found = weighing->found;
	bool is_any = false;

	for (size_t i = 0; i < found->count; i++)
		found->items[i].order = weighing->findings->count + i;
	weighing->estimates_ns = memory_array(found->count + 1, sizeof(*weighing->estimates_ns));
	parallel_run(found->count + 1, estimate_found, weighing);
	for (size_t i = 0; i < found->count; i++) {
		weighing->are_worthy[i] =
			!finding_is_short(weighing->analysis, weighing->estimates_ns[i + 1] -
								      weighing->estimates_ns[0]);
		is_any |= weighing->are_worthy[i];
	}
	free(weighing->estimates_ns);
	return is_any;
}

static void take_weighed(const struct weighing *weighing, size_t index, struct interval saved)
{
	const struct analysis *analysis = weighing->analysis;
	struct finding *finding = &weighing->found->items[index];

	saved.high_ns = max_ns(saved.estimate_ns, min_ns(saved.high_ns, finding->later_ns));
	*finding->replayed = saved;
	weighing->are_worthy[index] =
		!finding_is_short(analysis, saved.estimate_ns) && !finding_is_brief(finding);
}

static void weigh_worthy(const struct weighing *weighing)
{
	finding_vector *found = weighing->found;
	const struct finding **worthy = memory_array(found->count, sizeof(*worthy));
	struct interval *saved = memory_array(found->count, sizeof(*saved));
	size_t count = 0;

	for (size_t i = 0; i < found->count; i++)
		if (weighing->are_worthy[i])
			worthy[count++] = &found->items[i];
	whatif_beside(weighing->analysis, weighing->shown, weighing->shown_count, worthy, count,
		      saved);
	for (size_t i = 0, next = 0; i < found->count; i++)
		if (weighing->are_worthy[i])
			take_weighed(weighing, i, saved[next++]);
	free(saved);
	free(worthy);
}

/* The worthy become findings; returns how many. The others are freed. */
static size_t take_worthy(const struct weighing *weighing)
{
	finding_vector *found = weighing->found;
	size_t taken = 0;

	for (size_t i = 0; i < found->count; i++) {
		if (weighing->are_worthy[i])
			finding_add(weighing->findings, found->items[i]);
		else
			finding_free(&found->items[i]);
		taken += weighing->are_worthy[i];
	}
	return taken;
}

bool later_weigh(const struct analysis *analysis, struct findings *findings, finding_vector *found)
{
	struct weighing weighing = {
		.analysis = analysis,
		.findings = findings,
		.found = found,
		.are_worthy = memory_array(found->count, sizeof(*weighing.are_worthy))};
	size_t taken;

	weighing.shown = whatif_shown(findings, &weighing.shown_count);
	if (found->count && find_worthy(&weighing))
		weigh_worthy(&weighing);
	free(weighing.shown);
	taken = take_worthy(&weighing);
	free(weighing.are_worthy);
	return taken > 0;
}
