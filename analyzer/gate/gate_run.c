#include "gate/gate_run.h"

#include "base/memory.h"
#include "base/search.h"
#include "detectors/instance.h"
#include "findings/whatif_run.h"
#include "gate/allowed.h"
#include "gate/command_words.h"
#include "gate/doubts.h"
#include "gate/fixes.h"
#include "gate/gate_texts.h"
#include "gate/instance_lines.h"
#include "races/race_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More lines are counted. */
#define MOST_OTHERS 4

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
static const char *path_below(const char *root, const char *path)
{
	size_t length = root ? strlen(root) : 0;

	while (length && root[length - 1] == '/')
		length--;
	if (!length || strncmp(path, root, length) != 0 || path[length] != '/')
		return path;
	return path + length + 1;
}

static struct gate_place locate_site(const struct collecting *collecting, const struct site *site)
{
	struct arena *arena = &collecting->run->arena;
	const char *function = places_function(site, arena);
	const char *file = site->file ? path_below(collecting->rules->root, site->file) : NULL;
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
		where = text_format(arena, "%s+0x%" PRIx64,
				    path_below(collecting->rules->root, module), site->offset);
	at.name = text_format(arena, "%s%s%s", where, function ? " in " : "",
			      function ? function : "");
	return at;
}

static const char *reason_of_part(const struct collecting *collecting, const struct finding *part)
{
	const char *reason = NULL;

	for (size_t i = 0; !reason && i < part->site_count; i++) {
		const struct site *site = &part->sites[i].site;

		reason = allowed_reason(collecting->rules->allowed, part->id,
					site->file ? site->file : site->module,
					places_function(site, &collecting->run->arena));
	}
	return reason;
}

/* Where one of its lines is allowed, it is. */
static const char *reason_of(const struct collecting *collecting, const struct finding *finding)
{
	const char *reason = NULL;

	if (!collecting->rules->allowed)
		return NULL;
	for (size_t k = 0; !reason && k < finding_part_count(finding); k++)
		reason = reason_of_part(collecting, finding_part(finding, k));
	return reason;
}

static uint64_t bytes_of(const struct instance *instance)
{
	const struct trace_operation *operation =
		instance->site_call ? instance->site_call->operation : NULL;

	return operation ? operation->form->size_bytes : 0;
}

/* An instance and its line's index in the finding's. */
struct placed {
	const struct instance *instance;
	size_t line;
};

typedef VECTOR(struct placed) placed_vector;

static int compare_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->instance > y->instance) - (x->instance < y->instance);
}

/* By line. */
static placed_vector place_instances(const struct collecting *collecting,
				     const struct finding *part)
{
	size_t *lines = instance_lines_find(collecting->analysis, part);
	placed_vector placed = {0};

	for (size_t i = 0; i < part->instance_count; i++)
		*vector_add(&placed) = (struct placed){&part->instances[i], lines[i]};
	vector_sort(&placed, compare_placed);
	free(lines);
	return placed;
}

/* The kinds of calls that the finding happens in at a line, and their bytes. */
static void take_instances(struct collecting *collecting, const struct placed *placed, size_t count,
			   struct gate_finding *taken)
{
	VECTOR(size_t) marked = {0};

	for (size_t i = 0; i < count; i++) {
		const struct instance *instance = placed[i].instance;
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

/* A line's share of what the fix of several saves. */
static int64_t share_of(const struct finding *finding, const struct finding_site *line, int64_t ns)
{
	int64_t blocked_ns = 0;
	size_t count = 0;
	double share = 1;

	for (size_t i = 0; i < finding_part_count(finding); i++) {
		blocked_ns += finding_part(finding, i)->blocked_ns;
		count += finding_part(finding, i)->count;
	}
	if (blocked_ns > 0)
		share = (double)line->blocked_ns / (double)blocked_ns;
	else if (count)
		share = (double)line->count / (double)count;
	return finding_line_count(finding) == 1 ? ns : llround(share * (double)ns);
}

/* "load.cu:22 in load_batch, load.cu:30 in load_batch" without the first; NULL: there is one line. */
static const char *locate_others(const struct collecting *collecting, const struct finding *finding)
{
	size_t count = finding_line_count(finding), listed = 0;
	const char *text = NULL;

	for (size_t k = 0; k < finding_part_count(finding); k++) {
		const struct finding *part = finding_part(finding, k);

		for (size_t i = k == 0; i < part->site_count && listed < MOST_OTHERS; i++, listed++)
			text = text_format(&collecting->run->arena, "%s%s%s", text ? text : "",
					   text ? ", " : "",
					   locate_site(collecting, &part->sites[i].site).name);
	}
	if (count > MOST_OTHERS + 1)
		text = text_format(&collecting->run->arena, "%s and %zu more", text,
				   count - 1 - MOST_OTHERS);
	return text;
}

/* What saves nothing fails no gate: the report lists it because another fix needs it. What no replay can
 * show is not known to save nothing. */
static bool is_judged(const struct analysis *analysis, const struct finding *finding)
{
	return !finding->is_folded &&
	       (!analysis->check.has_estimates || finding->lost.estimate_ns > 0 ||
		whatif_is_open(analysis, finding));
}

/* A line of a part of the finding. */
static struct gate_finding make_line(struct collecting *collecting, const struct finding *finding,
				     const struct finding *part, size_t index)
{
	struct arena *arena = &collecting->run->arena;
	const struct finding_site *line = &part->sites[index];
	const char *text = part->evidence_count ? part->evidence[0].text : "";
	const char *place = places_name(&line->site, arena);
	const struct range_ends ends = range_compared(finding);
	bool is_first = part == finding && !index;

	return (struct gate_finding){
		.identity = text_format(arena, "%s %s", part->id, place),
		.id = part->id,
		.title = part->title,
		.fix = text_format(arena, "%s", part->fix),
		.place = place,
		.at = locate_site(collecting, &line->site),
		.copies = line->copies,
		.evidence = text_format(arena, "%s", text),
		.count = (int64_t)line->count,
		.saved_ns = share_of(finding, line, finding->lost.estimate_ns),
		.low_ns = share_of(finding, line, ends.low_ns),
		.high_ns = share_of(finding, line, ends.high_ns),
		.all_saved = finding->lost,
		.number = (size_t)(finding - collecting->analysis->findings.items) + 1,
		.all_count = (int64_t)part->count,
		.others = is_first ? locate_others(collecting, finding) : NULL,
		.pass = finding->pass,
		.is_shown = is_judged(collecting->analysis, finding),
		.is_further = !is_first,
		.is_address = !line->site.file && !line->site.function,
	};
}

static void take_part(struct collecting *collecting, const struct finding *finding,
		      const struct finding *part)
{
	placed_vector placed = place_instances(collecting, part);
	const char *reason = reason_of(collecting, finding);
	size_t first = 0, next;

	for (size_t i = 0; i < part->site_count; i++, first = next) {
		struct gate_finding *taken = vector_add(&collecting->run->findings);

		for (next = first; next < placed.count && placed.items[next].line == i;)
			next++;
		*taken = make_line(collecting, finding, part, i);
		taken->reason = reason;
		take_instances(collecting, placed.items + first, next - first, taken);
	}
	vector_free(&placed);
}

static void take_finding(struct collecting *collecting, const struct finding *finding)
{
	for (size_t i = 0; i < finding_part_count(finding); i++)
		take_part(collecting, finding, finding_part(finding, i));
}

/* Of one identity: what saves most first. */
static int compare_findings(const void *a, const void *b)
{
	const struct gate_finding *x = a, *y = b;
	int order = strcmp(x->identity, y->identity);

	if (order)
		return order;
	if (x->is_shown != y->is_shown)
		return x->is_shown ? -1 : 1;
	return (x->saved_ns < y->saved_ns) - (x->saved_ns > y->saved_ns);
}

void gate_run_sort(struct gate_run *run)
{
	vector_sort(&run->findings, compare_findings);
}

/* The lines of one place have parts of what their findings save there together. */
static void share_place(struct collecting *collecting, struct gate_finding *lines, size_t count)
{
	struct fixes fixes = fixes_at(collecting->analysis, &lines->identity, 1);
	double together_ns, sum_ns = 0;

	together_ns =
		(double)whatif_estimate(collecting->analysis, fixes.findings, fixes.count, NULL);
	for (size_t i = 0; i < count; i++)
		sum_ns += (double)lines[i].saved_ns;
	for (size_t i = 0; i < count && together_ns > 0 && sum_ns > 0; i++) {
		double share = together_ns / sum_ns;

		lines[i].saved_ns = llround(share * (double)lines[i].saved_ns);
		lines[i].low_ns = llround(share * (double)lines[i].low_ns);
		lines[i].high_ns = llround(share * (double)lines[i].high_ns);
	}
	fixes_free(&fixes);
}

/* Savings of several findings cannot be added. */
static void share_places(struct collecting *collecting)
{
	struct gate_finding *items = collecting->run->findings.items;
	size_t count = collecting->run->findings.count, next;

	for (size_t first = 0; first < count; first = next) {
		bool are_several = false;

		for (next = first; next < count && items[next].is_shown &&
				   !strcmp(items[next].identity, items[first].identity);
		     next++)
			are_several |= items[next].number != items[first].number;
		if (are_several)
			share_place(collecting, &items[first], next - first);
		next += next == first;
	}
}

/* Together, without those that are allowed. */
static int64_t lost_of(const struct collecting *collecting)
{
	const struct analysis *analysis = collecting->analysis;
	size_t count, kept = 0;
	const struct finding **shown;
	int64_t lost_ns = 0;

	if (!analysis->check.has_estimates)
		return -1;
	shown = whatif_shown(&analysis->findings, &count);
	for (size_t i = 0; i < count; i++)
		if (!reason_of(collecting, shown[i]))
			shown[kept++] = shown[i];
	if (kept == count)
		lost_ns = analysis->findings.lost.estimate_ns;
	else if (kept)
		lost_ns = whatif_estimate(analysis, shown, kept, NULL);
	free(shown);
	return lost_ns;
}

static struct site site_of(const struct collecting *collecting, const struct trace_call *call,
			   const char *kernel)
{
	return site_describe(collecting->analysis->observed.model->trace, call->form->site, kernel);
}

static void take_race(struct collecting *collecting, const struct race *race)
{
	struct arena *arena = &collecting->run->arena;
	const struct trace *trace = collecting->analysis->observed.model->trace;
	const struct site at =
		site_of(collecting, race_call_of(race->first), race->first->form->name);
	const struct site other = race_second_site(trace, race);
	char *text = race_sentence(trace, race);

	*vector_add(&collecting->run->races) = (struct gate_race){
		.certainty = race->certainty,
		.identity = text_format(arena, "%s %s %s", race_id(race->certainty),
					places_name(&at, arena), places_name(&other, arena)),
		.at = locate_site(collecting, &at),
		.other = locate_site(collecting, &other),
		.text = text_format(arena, "%s", text),
		.count = race->count};
	free(text);
}

static const char *copy_text(struct arena *arena, const char *text)
{
	return text ? arena_text(arena, text) : NULL;
}

/* What does not differ from checkout to checkout. */
static void take_command(struct gate_run *run, const struct trace *trace)
{
	const char *program = trace_metadata(trace, "program");
	const char *line = trace_metadata(trace, "command_line");
	char *words = line ? command_words(line, program) : NULL;

	run->program = copy_text(&run->arena, program ? command_file_name(program) : NULL);
	run->words = copy_text(&run->arena, words);
	free(words);
}

struct gate_run *gate_run_collect(const struct trace *trace, const struct analysis *analysis,
				  const struct gate_rules *rules)
{
	struct gate_run *run = memory_array(1, sizeof(*run));
	struct collecting collecting = {
		.trace = trace, .analysis = analysis, .rules = rules, .run = run};

	run->path = copy_text(&run->arena, trace->path);
	take_command(run, trace);
	run->rank = copy_text(&run->arena, trace_metadata(trace, "rank"));
	run->device = copy_text(&run->arena, trace->device_count ? trace->devices[0].name : NULL);
	run->driver = copy_text(&run->arena, trace_metadata(trace, "driver_version"));
	run->untraced_ns = analysis->check.untraced_ns;
	run->lead_ns = analysis->headline.lead_ns;
	run->tail_ns = analysis->headline.tail_ns;
	run->has_estimates = analysis->check.has_estimates;
	run->lost = analysis->findings.lost;
	collecting.places = places_collect(trace, &run->arena);
	collecting.is_marked = memory_array(collecting.places.found.count, sizeof(bool));
	for (size_t i = 0; i < analysis->findings.count; i++)
		take_finding(&collecting, &analysis->findings.items[i]);
	for (size_t i = 0; i < analysis->races.count; i++)
		take_race(&collecting, &analysis->races.items[i]);
	gate_run_sort(run);
	if (run->has_estimates)
		share_places(&collecting);
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
	return search(run->findings.count, i,
		      strcmp(run->findings.items[i].identity, identity) < 0);
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
	vector_free(&run->races);
	vector_free(&run->doubts);
	arena_free(&run->arena);
	free(run);
}
