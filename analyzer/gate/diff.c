#include "gate/diff.h"

#include "base/format.h"
#include "gate/compare.h"
#include "gate/ids.h"
#include "gate/scale.h"
#include "gate/texts.h"

#include <string.h>

/* One finding's traces, and the traces themselves. */
struct diff {
	struct gate *gate;
	const struct gate_rules *rules;
	const struct gate_run *const *runs; /* base's first */
	double *scales;			    /* of each run: its work by the first one's */
	bool is_doubtful;		    /* base cannot be trusted: what is new may not be */
	struct compare_run *compared;	    /* the current finding in each */
	struct compare_side base, head;
};

typedef VECTOR(const struct gate_finding *) members;

static int compare_identities(const void *a, const void *b)
{
	const struct gate_finding *const *x = a, *const *y = b;

	return strcmp((*x)->identity, (*y)->identity);
}

static int compare_kinds(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The calls at the finding's place that are of one of its kinds in any trace. */
static void count_calls(struct diff *diff, const char *place, const members *group)
{
	VECTOR(const char *) kinds = {0};

	for (size_t i = 0; i < group->count; i++)
		for (size_t k = 0; k < group->items[i]->kinds.count; k++)
			*vector_add(&kinds) = group->items[i]->kinds.items[k];
	vector_sort(&kinds, compare_kinds);
	for (size_t i = 0; i < kinds.count; i++) {
		if (i && !strcmp(kinds.items[i - 1], kinds.items[i]))
			continue;
		for (size_t run = 0; run < diff->gate->path_count; run++) {
			const struct place_calls *calls =
				places_at(&diff->runs[run]->calls, place, kinds.items[i]);

			if (!calls)
				continue;
			diff->compared[run].calls += (double)calls->calls / diff->scales[run];
			diff->compared[run].call_bytes += (double)calls->bytes / diff->scales[run];
			diff->compared[run].streams += (double)calls->streams / (double)calls->keys;
		}
	}
	vector_free(&kinds);
}

/* All lines of a place are one finding. What they save together is not known: at most the sum. */
static void add_line(struct compare_run *compared, const struct gate_finding *line, double scale)
{
	if (!compared->is_present || (line->is_shown && line->pass < compared->pass))
		compared->pass = line->pass;
	compared->is_present = true;
	compared->is_shown |= line->is_shown;
	compared->count += (double)line->count / scale;
	compared->bytes += (double)line->bytes / scale;
	compared->saved_ns += (double)line->saved.estimate_ns / scale;
	compared->low_ns += (double)line->saved.low_ns / scale;
	compared->high_ns += (double)line->saved.high_ns / scale;
}

static void fill(struct diff *diff, const members *group)
{
	const char *identity = group->items[0]->identity;

	for (size_t i = 0; i < diff->gate->path_count; i++) {
		size_t count;
		const struct gate_finding *lines = gate_run_find(diff->runs[i], identity, &count);
		struct compare_run *compared = &diff->compared[i];

		*compared = (struct compare_run){.run_ns = (double)diff->runs[i]->untraced_ns /
							   diff->scales[i]};
		for (size_t k = 0; k < count; k++)
			add_line(compared, &lines[k], diff->scales[i]);
		if (compared->saved_ns > compared->run_ns)
			compared->saved_ns = compared->run_ns;
	}
	count_calls(diff, group->items[0]->place, group);
}

/* "calls 49 -> 98", "saving 1.20 ms -> 353 ms": the medians. */
static const char *describe_change(struct diff *diff, enum compare_by by)
{
	struct format before, now;
	const struct compare_side *base = &diff->base, *head = &diff->head;
	struct arena *arena = &diff->gate->arena;

	switch (by) {
	case COMPARE_CALLS:
		return text_format(
			arena, "calls %s -> %s",
			format_count(&before, (uint64_t)(COMPARE_MEDIAN(base, calls) + 0.5)),
			format_count(&now, (uint64_t)(COMPARE_MEDIAN(head, calls) + 0.5)));
	case COMPARE_BYTES:
		return text_format(arena, "%s -> %s",
				   format_bytes(&before, (uint64_t)COMPARE_MEDIAN(base, bytes)),
				   format_bytes(&now, (uint64_t)COMPARE_MEDIAN(head, bytes)));
	case COMPARE_STREAMS:
		return text_format(arena, "streams %.3g -> %.3g", COMPARE_MEDIAN(base, streams),
				   COMPARE_MEDIAN(head, streams));
	case COMPARE_TIME:
		return "the same calls lose more or less time than they vary";
	default:
		return NULL;
	}
}

static const char *describe_saving(struct diff *diff)
{
	struct format before, now, share;
	double base_ns = COMPARE_MEDIAN(&diff->base, saved_ns);
	double head_ns = COMPARE_MEDIAN(&diff->head, saved_ns);

	return text_format(&diff->gate->arena, "its fix saves %s -> %s (%s of the run)",
			   format_time(&before, (int64_t)base_ns),
			   format_time(&now, (int64_t)head_ns),
			   format_percent(&share, (int64_t)head_ns,
					  (int64_t)COMPARE_MEDIAN(&diff->head, run_ns)));
}

/* In how many traces of each side it is listed, where these are several and not all. */
static const char *describe_traces(const struct diff *diff)
{
	size_t base = 0, head = 0;

	for (size_t i = 0; i < diff->base.count; i++)
		base += diff->base.runs[i].is_shown;
	for (size_t i = 0; i < diff->head.count; i++)
		head += diff->head.runs[i].is_shown;
	if ((!base || base == diff->base.count) && (!head || head == diff->head.count))
		return "";
	return text_format(&diff->gate->arena,
			   "; listed in %zu of %zu traces of base, %zu of %zu "
			   "of head",
			   base, diff->base.count, head, diff->head.count);
}

static bool is_bad(enum gate_verdict verdict)
{
	return verdict == GATE_NEW || verdict == GATE_WORSE;
}

/* Where the report of head lists it, else of base, else any. */
static const struct gate_finding *latest(const struct diff *diff, const char *identity)
{
	const struct gate_finding *any = NULL;

	for (size_t i = diff->gate->path_count; i-- > 0;) {
		size_t count;
		const struct gate_finding *first = gate_run_find(diff->runs[i], identity, &count);

		if (first && first->is_shown)
			return first;
		if (first && !any)
			any = first;
	}
	return any;
}

static void add_row(struct diff *diff, enum gate_verdict verdict, enum compare_by by,
		    const char *identity)
{
	const struct gate_finding *finding = latest(diff, identity);
	const char *change = describe_change(diff, by);
	const char *text =
		text_format(&diff->gate->arena, "%s%s%s%s", change ? change : "",
			    change ? ", " : "", describe_saving(diff), describe_traces(diff));
	bool is_denied = ids_have(diff->rules->deny, finding->id);

	*vector_add(&diff->gate->rows) = (struct gate_row){
		.verdict = verdict,
		.fails = is_bad(verdict) && is_denied && !finding->reason,
		.identity = identity,
		.id = finding->id,
		.title = finding->title,
		.fix = finding->fix,
		.place = finding->at,
		.text = text,
		.message = text_format(&diff->gate->arena, "%s: %s", finding->title, text),
		.reason = finding->reason,
		.order = COMPARE_MEDIAN(&diff->head, saved_ns),
	};
	if (verdict == GATE_UNDECIDED && is_denied && !finding->reason)
		gate_add_note(
			diff->gate, GATE_DOUBT,
			text_format(&diff->gate->arena,
				    "too few traces: %s at %s is new, but the place makes the "
				    "same calls as in base: %d traces of each side tell",
				    finding->id, finding->at.name, COMPARE_RUNS));
}

static void compare_group(struct diff *diff, const members *group)
{
	enum gate_verdict verdict;
	enum compare_by by;

	fill(diff, group);
	verdict = compare_sides(&diff->base, &diff->head, &by);
	if (verdict != GATE_NONE)
		add_row(diff, verdict, by, group->items[0]->identity);
}

static void compare_all(struct diff *diff)
{
	members all = {0};
	size_t first, next;

	for (size_t i = 0; i < diff->gate->path_count; i++)
		for (size_t k = 0; k < diff->runs[i]->findings.count; k++)
			*vector_add(&all) = &diff->runs[i]->findings.items[k];
	vector_sort(&all, compare_identities);
	for (first = 0; first < all.count; first = next) {
		for (next = first + 1; next < all.count; next++)
			if (compare_identities(&all.items[next], &all.items[first]) != 0)
				break;
		compare_group(diff, &(members){.items = all.items + first, .count = next - first});
	}
	vector_free(&all);
}

static void note_doubts(struct diff *diff)
{
	struct gate *gate = diff->gate;

	for (size_t i = 0; i < gate->path_count; i++) {
		const struct gate_run *run = diff->runs[i];

		for (size_t k = 0; k < run->doubts.count; k++)
			gate_add_note(gate, GATE_DOUBT,
				      text_format(&gate->arena, "%s: %s", run->path,
						  run->doubts.items[k]));
		if (i < gate->base_count)
			diff->is_doubtful |= run->doubts.count > 0;
	}
}

/* Whether the report of one of the runs lists a finding at a bare address. */
static bool has_addresses(const struct diff *diff, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		for (size_t k = 0; k < diff->runs[i]->findings.count; k++) {
			const struct gate_finding *finding = &diff->runs[i]->findings.items[k];

			if (finding->is_shown && finding->is_address)
				return true;
		}
	return false;
}

/* Sides of which one has names and the other none have nothing in common. */
static void doubt_names(struct diff *diff)
{
	struct gate *gate = diff->gate;
	bool in_base = has_addresses(diff, 0, gate->base_count);

	if (in_base == has_addresses(diff, gate->base_count, gate->path_count))
		return;
	diff->is_doubtful = true;
	gate_add_note(
		gate, GATE_DOUBT,
		text_format(&gate->arena,
			    "findings of %s are at addresses without a function or line: trace "
			    "both sides with debug information and streamtrace run",
			    in_base ? "base" : "head"));
}

static const char *or_unknown(const char *text)
{
	return text ? text : "an unknown one";
}

/* What makes the sides hard to compare. */
static void note_sides(struct diff *diff)
{
	struct gate *gate = diff->gate;
	const struct gate_run *base = diff->runs[0], *head = diff->runs[gate->base_count];
	double scale = diff->scales[gate->base_count];

	if (strcmp(or_unknown(base->device), or_unknown(head->device)) != 0)
		gate_add_note(gate, GATE_WARNING,
			      text_format(&gate->arena,
					  "base ran on %s, head on %s: times are of two machines",
					  or_unknown(base->device), or_unknown(head->device)));
	if (scale > 1.01 || scale < 0.99)
		gate_add_note(gate, GATE_INFO,
			      text_format(&gate->arena,
					  "the GPU ran %.4g times as much in head as in base: "
					  "counts, bytes and times are per operation",
					  scale));
	if (compare_has_times(&diff->base, &diff->head))
		return;
	gate_add_note(
		gate, diff->rules->needs_times ? GATE_DOUBT : GATE_INFO,
		text_format(&gate->arena,
			    "times are not compared: that needs %d traces of each side, there "
			    "are %zu and %zu",
			    COMPARE_RUNS, diff->base.count, diff->head.count));
}

void gate_diff(struct gate *gate, const struct gate_rules *rules,
	       const struct gate_run *const *runs)
{
	struct diff diff = {.gate = gate, .rules = rules, .runs = runs};

	diff.scales = memory_array(gate->path_count, sizeof(*diff.scales));
	diff.compared = memory_array(gate->path_count, sizeof(*diff.compared));
	for (size_t i = 0; i < gate->path_count; i++)
		diff.scales[i] = scale_of(&runs[i]->work, &runs[0]->work);
	diff.base = (struct compare_side){diff.compared, gate->base_count};
	diff.head = (struct compare_side){diff.compared + gate->base_count,
					  gate->path_count - gate->base_count};
	note_doubts(&diff);
	doubt_names(&diff);
	note_sides(&diff);
	compare_all(&diff);
	for (size_t i = 0; diff.is_doubtful && i < gate->rows.count; i++)
		gate->rows.items[i].fails = false;
	gate_finish(gate, rules);
	free(diff.scales);
	free(diff.compared);
}
