#include "findings/ways.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "detectors/detector.h"
#include "findings/interval_private.h"
#include "findings/whatif_edits.h"
#include "replay/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No way saves more than the fix, which removes all. -1: there is no such way. */
static int64_t saved_by(const struct analysis *analysis, const struct finding *finding,
			const struct detector_way *way)
{
	struct edits *edits = edits_create(analysis->observed.model);
	int64_t saved_ns = -1, replayed_ns;

	if (way->apply(&analysis->observed, finding->instances, finding->instance_count, edits)) {
		replayed_ns = timeline_replay(analysis->observed.timeline, edits);
		saved_ns = replayed_ns < 0 ? 0 : whatif_unedited_ns(analysis) - replayed_ns;
		saved_ns = min_ns(max_ns(0, saved_ns), finding->replayed->estimate_ns);
	}
	edits_free(edits);
	return saved_ns;
}

static void add_way(char *text, size_t size, const char *name, int64_t saved_ns)
{
	struct format saved;
	size_t length = strlen(text);

	snprintf(text + length, size - length, "%s %s %s", length ? "," : "saves",
		 format_time(&saved, saved_ns), name);
}

void ways_add(const struct analysis *analysis, struct finding *finding)
{
	const struct detector *detector = finding->detector;
	const char *price = finding_price(finding);
	char text[512] = "", all[64], *with_price;

	if (!detector->ways[0].name || finding->is_folded || finding->joined_count ||
	    finding->pass > 1 || !analysis->check.has_estimates)
		return;
	for (const struct detector_way *way = detector->ways; way->name; way++) {
		int64_t saved_ns = saved_by(analysis, finding, way);

		if (saved_ns >= 0)
			add_way(text, sizeof(text), way->name, saved_ns);
	}
	if (!text[0])
		return;
	if (!detector->way_of_all)
		detector->assume(finding->instances, finding->instance_count, all, sizeof(all));
	add_way(text, sizeof(text), detector->way_of_all ? detector->way_of_all : all,
		finding->replayed->estimate_ns);
	with_price = price ? memory_format("%s; %s", price, text) : memory_format("%s", text);
	free(finding->measured_price);
	finding->measured_price = with_price;
}
