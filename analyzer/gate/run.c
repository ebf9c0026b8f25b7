#include "gate/run.h"

#include "detectors/instance.h"
#include "findings/whatif.h"
#include "gate/allowed.h"
#include "gate/doubts.h"
#include "gate/texts.h"

#include <inttypes.h>
#include <string.h>

/* While a run is collected. */
struct collecting {
	const struct trace *trace;
	const struct analysis *analysis;
	const struct gate_rules *rules;
	struct places places;
	struct gate_run *run;
	bool *is_marked; /* kinds of calls of the current finding, by index in places */
};

/* Below the root, the path from there. */
static const char *below(const char *root, const char *path)
{
	size_t length = root ? strlen(root) : 0;

	while (length && root[length - 1] == '/')
		length--;
	if (!length || strncmp(path, root, length) != 0 || path[length] != '/')
		return path;
	return path + length + 1;
}

static struct gate_place locate(const struct collecting *collecting, const struct site *site)
{
	struct arena *arena = &collecting->run->arena;
	const char *function = places_function(site, arena);
	const char *file = site->file ? below(collecting->rules->root, site->file) : NULL;
	const char *module = site->module ? site->module : "an unknown place";
	struct gate_place at = {.line = site->line};
	const char *where;

	if (file)
		at.file = text_format(arena, "%s", file);
	if (file && site->line > 0)
		where = text_format(arena, "%s:%d", file, site->line);
	else if (file)
		where = at.file;
	else
		where = text_format(arena, "%s+0x%" PRIx64, below(collecting->rules->root, module),
				    site->offset);
	at.name = text_format(arena, "%s%s%s", where, function ? " in " : "",
			      function ? function : "");
	return at;
}

static const char *reason_of(const struct collecting *collecting, const struct finding *finding)
{
	const struct site *site = &finding->site;

	if (!collecting->rules->allowed)
		return NULL;
	return allowed_reason(collecting->rules->allowed, finding->id,
			      site->file ? site->file : site->module,
			      places_function(site, &collecting->run->arena));
}

static uint64_t bytes_of(const struct instance *instance)
{
	const struct trace_operation *operation =
		instance->site_call ? instance->site_call->operation : NULL;

	return operation ? operation->form->size_bytes : 0;
}

/* The kinds of calls that the finding happens in, and its bytes. */
static void take_instances(struct collecting *collecting, const struct finding *finding,
			   struct gate_finding *taken)
{
	VECTOR(size_t) marked = {0};

	for (size_t i = 0; i < finding->instance_count; i++) {
		const struct instance *instance = &finding->instances[i];
		size_t index = places_find(&collecting->places, instance->site_call);

		if (__builtin_add_overflow(taken->bytes, bytes_of(instance), &taken->bytes))
			taken->bytes = UINT64_MAX;
		if (index == MAP_NONE || collecting->is_marked[index])
			continue;
		collecting->is_marked[index] = true;
		*vector_add(&marked) = index;
	}
	for (size_t i = 0; i < marked.count; i++) {
		collecting->is_marked[marked.items[i]] = false;
		*vector_add(&taken->kinds) = collecting->places.found.items[marked.items[i]].kind;
	}
	vector_free(&marked);
}

static void take(struct collecting *collecting, const struct finding *finding)
{
	struct arena *arena = &collecting->run->arena;
	struct gate_finding *taken = vector_add(&collecting->run->findings);
	const char *text = finding->evidence_count ? finding->evidence[0].text : "";

	*taken = (struct gate_finding){
		.id = finding->id,
		.title = finding->title,
		.fix = finding->fix,
		.place = places_name(&finding->site, arena),
		.at = locate(collecting, &finding->site),
		.evidence = text_format(arena, "%s", text),
		.reason = reason_of(collecting, finding),
		.count = (int64_t)finding->count,
		.saved = finding->lost,
		.pass = finding->pass,
		.is_shown = !finding->is_folded,
		.is_address = !finding->site.file && !finding->site.function,
	};
	taken->identity = text_format(arena, "%s %s", taken->id, taken->place);
	take_instances(collecting, finding, taken);
}

/* Of one identity: what saves most first. */
static int compare(const void *a, const void *b)
{
	const struct gate_finding *x = a, *y = b;
	int order = strcmp(x->identity, y->identity);

	if (order)
		return order;
	if (x->is_shown != y->is_shown)
		return x->is_shown ? -1 : 1;
	return (x->saved.estimate_ns < y->saved.estimate_ns) -
	       (x->saved.estimate_ns > y->saved.estimate_ns);
}

/* Together, without those that are allowed. */
static int64_t lost_of(const struct collecting *collecting)
{
	const struct analysis *analysis = collecting->analysis;
	size_t count, kept = 0;
	const struct finding **shown;
	int64_t lost_ns = 0;

	if (!analysis->has_estimates)
		return -1;
	shown = whatif_shown(analysis, &count);
	for (size_t i = 0; i < count; i++)
		if (!reason_of(collecting, shown[i]))
			shown[kept++] = shown[i];
	if (kept == count)
		lost_ns = analysis->lost.estimate_ns;
	else if (kept)
		lost_ns = whatif_saving(analysis, shown, kept,
					whatif_bound(analysis, shown, kept, false))
				  .estimate_ns;
	free(shown);
	return lost_ns;
}

static const char *copy(struct arena *arena, const char *text)
{
	return text ? arena_text(arena, text) : NULL;
}

struct gate_run *gate_run_collect(const struct trace *trace, const struct analysis *analysis,
				  const struct gate_rules *rules)
{
	struct gate_run *run = memory_array(1, sizeof(*run));
	struct collecting collecting = {
		.trace = trace, .analysis = analysis, .rules = rules, .run = run};

	run->path = copy(&run->arena, trace->path);
	run->program = copy(&run->arena, trace_metadata(trace, "program"));
	run->rank = copy(&run->arena, trace_metadata(trace, "rank"));
	run->device = copy(&run->arena, trace->device_count ? trace->devices[0].name : NULL);
	run->untraced_ns = analysis->untraced_ns;
	collecting.places = places_collect(trace, &run->arena);
	collecting.is_marked = memory_array(collecting.places.found.count, sizeof(bool));
	for (size_t i = 0; i < analysis->finding_count; i++)
		take(&collecting, &analysis->findings[i]);
	vector_sort(&run->findings, compare);
	run->lost_ns = lost_of(&collecting);
	free(collecting.is_marked);
	places_sort(&collecting.places);
	vector_move(&collecting.places.found, run->calls.items, run->calls.count);
	places_free(&collecting.places);
	run->work = scale_count(trace, &run->arena);
	doubts_collect(trace, analysis, run);
	return run;
}

/* The first that is not before the identity. */
static size_t lower_bound(const struct gate_run *run, const char *identity)
{
	size_t first = 0, end = run->findings.count;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (strcmp(run->findings.items[middle].identity, identity) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

const struct gate_finding *gate_run_find(const struct gate_run *run, const char *identity,
					 size_t *count)
{
	size_t first = lower_bound(run, identity), end = first;

	while (end < run->findings.count && !strcmp(run->findings.items[end].identity, identity))
		end++;
	*count = end - first;
	return *count ? &run->findings.items[first] : NULL;
}

void gate_run_free(struct gate_run *run)
{
	for (size_t i = 0; i < run->findings.count; i++)
		vector_free(&run->findings.items[i].kinds);
	vector_free(&run->findings);
	vector_free(&run->calls);
	vector_free(&run->work);
	vector_free(&run->doubts);
	arena_free(&run->arena);
	free(run);
}
