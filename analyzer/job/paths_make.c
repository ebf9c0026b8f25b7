#include "job/paths_make.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/parallel.h"
#include "findings/finding.h"
#include "findings/whatif_edits.h"
#include "findings/whatif_run.h"
#include "job/crowding.h"
#include "job/part.h"
#include "job/rendezvous.h"
#include "model/model.h"
#include "replay/schedule/marked_paths.h"
#include "replay/timeline.h"

#include <stdlib.h>
#include <string.h>

/* One replay: which edges it makes. */
struct variant {
	const struct finding *const *findings;
	size_t finding_count;
	enum doubt doubt;
	bool is_traced, is_uncrowded;
	struct paths_edges *edges;
	bool is_done;
};

struct making {
	const struct analysis *analysis;
	struct rendezvous *rendezvous;
	struct marks marks;
	const int64_t *crowding_ns; /* crowding.h */
	struct paths *paths;
	int64_t begin_ns; /* of the replays, in the model's time */
	struct variant *variants;
	size_t variant_count;
};

static int compare_edges(const void *a, const void *b)
{
	return paths_compare_edges(a, b);
}

/* Of the same pair the longer one counts. */
static void sort_edges(struct paths_edges *edges)
{
	size_t count = 0;

	if (edges->count)
		qsort(edges->items, edges->count, sizeof(*edges->items), compare_edges);
	for (size_t i = 0; i < edges->count; i++) {
		struct paths_edge *last = count ? &edges->items[count - 1] : NULL;

		if (last && !paths_compare_edges(last, &edges->items[i]))
			last->distance_ns = max_ns(last->distance_ns, edges->items[i].distance_ns);
		else
			edges->items[count++] = edges->items[i];
	}
	edges->count = count;
}

/* The marked operations are the kernels of the rendezvous, in the same order. */
static struct paths_edges edges_of(const struct making *making, const struct marked_paths *found)
{
	const struct rendezvous *rendezvous = making->rendezvous;
	struct paths_edges edges = {
		.items = memory_array(found->first[found->count + 1] + rendezvous->inner.count,
				      sizeof(*edges.items))};

	for (size_t to = 0; to <= found->count; to++)
		for (uint32_t i = found->first[to]; i < found->first[to + 1]; i++) {
			struct marked_path path = found->paths[i];
			bool is_begin = path.from == MARKED_BEGIN;

			edges.items[edges.count++] = (struct paths_edge){
				.to = to == found->count ? PATHS_END
							 : rendezvous->kernels[to].arrives,
				.from = is_begin ? PATHS_BEGIN
						 : rendezvous->kernels[path.from].leaves,
				.distance_ns = path.distance_ns + (is_begin ? making->begin_ns : 0),
			};
		}
	for (size_t i = 0; i < rendezvous->inner.count; i++)
		edges.items[edges.count++] = rendezvous->inner.items[i];
	sort_edges(&edges);
	return edges;
}

/* Of kernels that no fix changes. */
static void uncrowd_kernels(const struct making *making, struct edits *edits)
{
	const struct model *model = making->analysis->observed.model;

	for (size_t i = 0; i < model->trace->operation_count; i++) {
		const struct trace_operation *operation = &model->trace->operations[i];

		if (making->crowding_ns[i] && !edits->operations[i])
			edits_set_duration(edits, model, operation,
					   operation->end_ns - operation->start_ns -
						   making->crowding_ns[i]);
	}
}

static void replay_variant(void *context, size_t index)
{
	struct making *making = context;
	struct variant *variant = &making->variants[index];
	struct edits *edits = NULL;
	struct marked_paths found;

	if (!variant->is_traced)
		edits = whatif_make_edits(making->analysis, variant->findings,
					  variant->finding_count, variant->doubt);
	if (edits && variant->is_uncrowded)
		uncrowd_kernels(making, edits);
	variant->is_done = timeline_marked_paths(making->analysis->observed.timeline, edits,
						 making->marks, &found);
	if (variant->is_done)
		*variant->edges = edges_of(making, &found);
	marked_paths_free(&found);
	if (edits)
		edits_free(edits);
}

static void add_group_variants(struct making *making, struct paths_group *group,
			       const struct finding *const *findings, size_t count)
{
	/* With all fixes nobody waits. */
	const struct variant like = {
		.findings = findings, .finding_count = count, .is_uncrowded = !*group->id};
	struct variant *variants = &making->variants[making->variant_count];

	variants[0] = variants[1] = variants[2] = like;
	variants[0].doubt = DOUBT_KEEP;
	variants[0].edges = &group->low;
	variants[1].doubt = DOUBT_WEIGH;
	variants[1].edges = &group->estimate;
	variants[2].doubt = DOUBT_DROP;
	variants[2].edges = &group->high;
	making->variant_count += 3;
}

static int compare_fixes(const void *a, const void *b)
{
	const struct paths_fix *x = a, *y = b;
	int by_id = strcmp(x->id, y->id);

	return by_id ? by_id : strcmp(x->where, y->where);
}

/* The line's findings, in the fixes' order from first on; how many there are. */
static size_t take_line(const struct paths_fix *fixes, size_t count, size_t first,
			const struct finding **findings)
{
	size_t taken = 0;

	while (first + taken < count && !compare_fixes(&fixes[first], &fixes[first + taken])) {
		findings[taken] = fixes[first + taken].finding;
		taken++;
	}
	return taken;
}

/* The one without a name comes first in the order of names. findings: room for those of all fixes. */
static void add_groups(struct making *making, const struct finding *const *shown,
		       size_t shown_count, const struct paths_fix *fixes, size_t count,
		       const struct finding **findings)
{
	struct paths *paths = making->paths;

	paths->groups = memory_array(count + 1, sizeof(*paths->groups));
	paths->groups[0] = (struct paths_group){
		.id = memory_format("%s", ""), .where = memory_format("%s", ""), .ranks = 1};
	paths->group_count = 1;
	add_group_variants(making, &paths->groups[0], shown, shown_count);
	for (size_t i = 0, taken; i < count; i += taken) {
		struct paths_group *group = &paths->groups[paths->group_count++];

		taken = take_line(fixes, count, i, &findings[i]);
		*group = (struct paths_group){.id = memory_format("%s", fixes[i].id),
					      .where = memory_format("%s", fixes[i].where),
					      .ranks = 1};
		add_group_variants(making, group, &findings[i], taken);
	}
}

static void add_runs(struct making *making)
{
	making->variants[0] = (struct variant){.is_traced = true, .edges = &making->paths->traced};
	making->variants[1] =
		(struct variant){.edges = &making->paths->untraced, .doubt = DOUBT_WEIGH};
	making->variants[2] = (struct variant){
		.edges = &making->paths->uncrowded, .doubt = DOUBT_WEIGH, .is_uncrowded = true};
	making->variant_count = 3;
}

static struct paths_edges copy_edges(const struct paths_edges *edges)
{
	struct paths_edges copy = {memory_array(edges->count, sizeof(*copy.items)), edges->count};

	if (edges->count)
		memcpy(copy.items, edges->items, edges->count * sizeof(*copy.items));
	return copy;
}

/* As far as they can all be replayed. */
static bool replay_all(struct making *making, const struct paths_fix *fixes, size_t fix_count)
{
	size_t shown_count;
	const struct finding **shown = whatif_shown(&making->analysis->findings, &shown_count);
	struct paths_fix *sorted = memory_array(fix_count, sizeof(*sorted));
	const struct finding **findings = memory_array(fix_count, sizeof(*findings));
	bool are_done = true;

	if (fix_count) {
		memcpy(sorted, fixes, fix_count * sizeof(*sorted));
		qsort(sorted, fix_count, sizeof(*sorted), compare_fixes);
	}
	making->variants = memory_array(6 + 3 * fix_count, sizeof(*making->variants));
	add_runs(making);
	add_groups(making, shown, shown_count, sorted, fix_count, findings);
	parallel_run(making->variant_count, replay_variant, making);
	for (size_t i = 0; i < making->variant_count; i++)
		are_done &= making->variants[i].is_done;
	for (size_t i = 0; i < making->paths->group_count; i++)
		making->paths->groups[i].before = copy_edges(&making->paths->untraced);
	free(making->variants);
	free(findings);
	free(sorted);
	free(shown);
	return are_done;
}

/* In the trace, from the end of the anchor's kernel. */
static void measure_paths(struct making *making, const struct trace *trace)
{
	const struct rendezvous *rendezvous = making->rendezvous;
	const struct timeline *timeline = making->analysis->observed.timeline;
	struct paths *paths = making->paths;
	int64_t anchor_ns =
		trace->operations[rendezvous->kernels[rendezvous->anchor].operation].end_ns;
	int64_t last_ns =
		trace->operations[rendezvous->kernels[rendezvous->count - 1].operation].end_ns;

	paths->is_part = rendezvous->count < rendezvous->all_count;
	paths->begin_ns = paths->is_part ? 0 : timeline_begin_ns(timeline) - anchor_ns;
	paths->end_ns = paths->is_part ? last_ns - anchor_ns
				       : paths->begin_ns + timeline_measured_ns(timeline);
	making->begin_ns = paths->begin_ns;
	making->marks.is_part = paths->is_part;
}

static void take_events(struct making *making)
{
	struct rendezvous *rendezvous = making->rendezvous;
	struct paths *paths = making->paths;

	paths->events = rendezvous->events;
	paths->event_count = rendezvous->event_count;
	rendezvous->events = NULL;
	paths->ranks = 1;
	paths->kernels = rendezvous->count;
	paths->all_kernels = rendezvous->all_count;
}

static struct paths *make_paths(const struct analysis *analysis, struct rendezvous *rendezvous,
				const struct paths_fix *fixes, size_t fix_count)
{
	uint32_t *operations = memory_array(rendezvous->count, sizeof(*operations));
	int64_t *crowding_ns = crowding_find(analysis->observed.model->trace, rendezvous);
	struct making making = {.analysis = analysis,
				.rendezvous = rendezvous,
				.crowding_ns = crowding_ns,
				.marks = {.operations = operations,
					  .count = rendezvous->count,
					  .are_passed = rendezvous->are_eager},
				.paths = memory_array(1, sizeof(*making.paths))};

	for (size_t i = 0; i < rendezvous->count; i++)
		operations[i] = rendezvous->kernels[i].operation;
	measure_paths(&making, analysis->observed.model->trace);
	take_events(&making);
	if (!replay_all(&making, fixes, fix_count)) {
		paths_free(making.paths);
		making.paths = NULL;
	}
	free(crowding_ns);
	free(operations);
	return making.paths;
}

static struct paths *make_of(const struct analysis *analysis, uint64_t member,
			     const struct paths_fix *fixes, size_t fix_count)
{
	struct rendezvous rendezvous = rendezvous_find(analysis->observed.model->trace, member);
	struct paths *paths = NULL;

	if (rendezvous.count && analysis->check.has_estimates)
		paths = make_paths(analysis, &rendezvous, fixes, fix_count);
	rendezvous_free(&rendezvous);
	return paths;
}

/* The same line's in another analysis; NULL: it has none. */
static const struct finding *find_same(const struct analysis *analysis,
				       const struct finding *finding)
{
	for (size_t i = 0; i < analysis->findings.count; i++)
		if (site_compare(&analysis->findings.items[i].site, &finding->site) == 0 &&
		    finding_has_line(finding, &analysis->findings.items[i]))
			return &analysis->findings.items[i];
	return NULL;
}

static uint64_t count_kernels(const struct trace *trace)
{
	struct rendezvous rendezvous = rendezvous_find(trace, 0);
	uint64_t count = rendezvous.all_count;

	rendezvous_free(&rendezvous);
	return count;
}

/* What the part does not have of the fixes is left out. */
static struct paths *make_of_part(const struct analysis *whole, const struct part *part,
				  uint64_t member, const struct paths_fix *fixes, size_t fix_count)
{
	struct analysis *analysis = analysis_run(part_trace(part));
	struct paths_fix *found = memory_array(fix_count, sizeof(*found));
	struct paths *paths;
	size_t count = 0;

	for (size_t i = 0; i < fix_count; i++) {
		found[count] = fixes[i];
		found[count].finding = find_same(analysis, fixes[i].finding);
		count += found[count].finding != NULL;
	}
	paths = make_of(analysis, member, found, count);
	if (paths)
		paths->all_kernels = count_kernels(whole->whole);
	free(found);
	analysis_free(analysis);
	return paths;
}

struct paths *paths_make(const struct analysis *analysis, uint64_t member,
			 const struct paths_fix *fixes, size_t fix_count)
{
	struct part *part;
	struct paths *paths = NULL;

	if (!analysis->check.has_estimates || !analysis->whole->collective_count)
		return NULL;
	if (!analysis->sample)
		return make_of(analysis, member, fixes, fix_count);
	part = part_make(analysis->whole);
	if (part)
		paths = make_of_part(analysis, part, member, fixes, fix_count);
	part_free(part);
	return paths;
}
