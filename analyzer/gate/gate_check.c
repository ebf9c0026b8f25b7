#include "gate/gate_check.h"

#include "base/format.h"
#include "gate/gate_diff.h"
#include "gate/gate_texts.h"
#include "gate/ids.h"

#include <string.h>

/* A finding in one of the traces. */
struct seen {
	const struct gate_finding *finding;
	const struct gate_run *run;
};

static bool is_small(const struct seen *seen)
{
	return seen->finding->copies == COPIES_SMALL;
}

/* Whether it is the same line, and of it not only one has the small copies. */
static int compare_lines(const struct seen *a, const struct seen *b)
{
	int order = strcmp(a->finding->identity, b->finding->identity);

	order = order ? order : strcmp(a->finding->at.name, b->finding->at.name);
	return order ? order : is_small(a) - is_small(b);
}

/* By line; the worst trace first. */
static int compare_seen(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;
	int order = compare_lines(x, y);

	if (order)
		return order;
	return (x->finding->all_saved.estimate_ns < y->finding->all_saved.estimate_ns) -
	       (x->finding->all_saved.estimate_ns > y->finding->all_saved.estimate_ns);
}

/* In how many of several traces, and in which it costs most. */
static const char *describe_traces(struct gate *gate, const struct seen *seen, size_t traces)
{
	size_t all = gate->path_count - gate->base_count;

	if (all < 2)
		return "";
	return text_format(&gate->arena, "in %zu of %zu traces; in %s%s%s%s: ", traces, all,
			   seen->run->path, seen->run->rank ? " (rank " : "",
			   seen->run->rank ? seen->run->rank : "", seen->run->rank ? ")" : "");
}

static const char *describe_seen(struct gate *gate, const struct seen *seen, size_t traces)
{
	const struct gate_finding *finding = seen->finding;
	const char *copies = copy_sizes_text(finding->copies);
	struct format count, saved, share;

	return text_format(
		&gate->arena, "%s%s%s%s%s time%s, its fix saves %s (%s of the run)%s%s; %s",
		copies ? "copies " : "", copies ? copies : "", copies ? ": " : "",
		describe_traces(gate, seen, traces),
		format_count(&count, (uint64_t)finding->all_count),
		finding->all_count == 1 ? "" : "s",
		format_time(&saved, finding->all_saved.estimate_ns),
		format_percent(&share, finding->all_saved.estimate_ns, seen->run->untraced_ns),
		finding->others ? ", also at " : "", finding->others ? finding->others : "",
		finding->evidence);
}

/* Small copies that are a finding of their own have another identity than the rest of their line. */
static const char *identify_seen(struct gate *gate, const struct seen *seen)
{
	const struct gate_finding *finding = seen->finding;

	return is_small(seen) ? text_format(&gate->arena, "%s (%s)", finding->identity,
					    copy_sizes_text(finding->copies))
			      : finding->identity;
}

/* Without estimates nothing is known to be too little. */
static bool is_enough(const struct gate_rules *rules, const struct seen *seen)
{
	return !seen->run->has_estimates ||
	       gate_is_enough(rules, seen->finding->all_saved.estimate_ns, seen->run->untraced_ns);
}

static void add_row(struct gate *gate, const struct gate_rules *rules, const struct seen *seen,
		    size_t traces)
{
	const struct gate_finding *finding = seen->finding;
	bool is_denied =
		rules->deny && ids_have(rules->deny, finding->id) && is_enough(rules, seen);
	bool is_undecided = is_denied && finding->is_undecided && !finding->reason;
	const char *text = describe_seen(gate, seen, traces);

	if (is_undecided)
		gate_doubt_undecided(gate, finding);
	*vector_add(&gate->rows) = (struct gate_row){
		.verdict = is_undecided ? GATE_UNDECIDED
			   : is_denied	? GATE_DENIED
					: GATE_FOUND,
		.fails = is_denied && !is_undecided && !finding->reason,
		.identity = identify_seen(gate, seen),
		.id = finding->id,
		.title = finding->title,
		.fix = finding->fix,
		.place = finding->at,
		.text = text,
		.message = text_format(&gate->arena, "%s: %s", finding->title, text),
		.reason = finding->reason,
		.order = (double)finding->all_saved.estimate_ns,
	};
}

/* Only what is certain counts as "all". */
static bool is_race_denied(const struct gate_rules *rules, enum race_certainty certainty)
{
	return rules->deny &&
	       (certainty == RACE_CERTAIN ? ids_have(rules->deny, race_id(certainty))
					  : ids_name(rules->deny, race_id(certainty)));
}

/* What is neither denied nor certain is the report's matter. */
static void add_race(struct gate *gate, const struct gate_rules *rules,
		     const struct gate_race *race)
{
	const bool is_denied = is_race_denied(rules, race->certainty);

	if (!is_denied && race->certainty != RACE_CERTAIN)
		return;
	*vector_add(&gate->rows) = (struct gate_row){
		.verdict = is_denied ? GATE_DENIED : GATE_FOUND,
		.fails = is_denied,
		.identity = race->identity,
		.id = race_id(race->certainty),
		.title = RACE_TITLE,
		.place = race->at,
		.other = race->other,
		.text = race->text,
		.message = text_format(&gate->arena, "%s: %s", RACE_TITLE, race->text),
		.order = (double)race->count,
	};
}

static const char *describe_limit(struct gate *gate, const struct gate_rules *rules,
				  const struct gate_run *run)
{
	struct format lost, share;

	return text_format(&gate->arena,
			   "%s (%s of the run) can be won back by overlap%s; the limit is %.3g %%",
			   format_time(&lost, run->lost_ns),
			   format_percent(&share, run->lost_ns, run->untraced_ns),
			   rules->allowed ? ", besides what is allowed" : "",
			   100 * rules->max_lost);
}

static void check_limit(struct gate *gate, const struct gate_rules *rules,
			const struct gate_run *run)
{
	const char *text;

	if (rules->max_lost < 0 || run->lost_ns < 0 ||
	    (double)run->lost_ns <= rules->max_lost * (double)run->untraced_ns)
		return;
	text = describe_limit(gate, rules, run);
	*vector_add(&gate->rows) = (struct gate_row){
		.verdict = GATE_LIMIT,
		.fails = true,
		.identity = "",
		.id = "max-lost",
		.title = gate_verdicts[GATE_LIMIT].meaning,
		.place = {.name = run->path},
		.text = text,
		.message = text,
		.order = (double)run->lost_ns,
	};
}

static void take_doubts(struct gate *gate, const struct gate_run *run)
{
	for (size_t i = 0; i < run->doubts.count; i++)
		gate_add_note(gate, GATE_DOUBT,
			      text_format(&gate->arena, "%s: %s", run->path, run->doubts.items[i]));
}

void gate_check(struct gate *gate, const struct gate_rules *rules,
		const struct gate_run *const *runs, size_t count)
{
	VECTOR(struct seen) seen = {0};
	size_t first, next;

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < runs[i]->findings.count; k++)
			if (runs[i]->findings.items[k].is_shown &&
			    !runs[i]->findings.items[k].is_further)
				*vector_add(&seen) =
					(struct seen){&runs[i]->findings.items[k], runs[i]};
		for (size_t k = 0; k < runs[i]->races.count; k++)
			add_race(gate, rules, &runs[i]->races.items[k]);
		check_limit(gate, rules, runs[i]);
		take_doubts(gate, runs[i]);
	}
	vector_sort(&seen, compare_seen);
	for (first = 0; first < seen.count; first = next) {
		for (next = first + 1; next < seen.count; next++)
			if (compare_lines(&seen.items[next], &seen.items[first]) != 0)
				break;
		add_row(gate, rules, &seen.items[first], next - first);
	}
	vector_free(&seen);
	gate_finish(gate, rules);
}

/* Whether base has it as it is. */
static bool is_known(enum gate_verdict verdict)
{
	return verdict == GATE_SAME || verdict == GATE_LESS || verdict == GATE_MOVED;
}

/* What diff says of the line; GATE_SAME: neither side lists it. */
static enum gate_verdict verdict_of(const struct gate *diff, const char *identity)
{
	for (size_t i = 0; i < diff->rows.count; i++)
		if (!strcmp(diff->rows.items[i].identity, identity))
			return diff->rows.items[i].verdict;
	return GATE_SAME;
}

/* Of all lines of the finding with that number: GATE_SAME, known; GATE_UNDECIDED, none is surely
 * new or worse; GATE_NEW, else. */
static enum gate_verdict judge_finding(const struct gate *diff, const struct gate_run *run,
				       size_t number)
{
	enum gate_verdict worst = GATE_SAME;

	for (size_t i = 0; i < run->findings.count; i++) {
		enum gate_verdict verdict = verdict_of(diff, run->findings.items[i].identity);

		if (run->findings.items[i].number != number || is_known(verdict))
			continue;
		if (verdict != GATE_UNDECIDED)
			return GATE_NEW;
		worst = GATE_UNDECIDED;
	}
	return worst;
}

static void judge_findings(const struct gate *diff, struct gate_run *run, const char *reason)
{
	for (size_t i = 0; i < run->findings.count; i++) {
		struct gate_finding *finding = &run->findings.items[i];
		enum gate_verdict verdict = judge_finding(diff, run, finding->number);

		if (!finding->reason && verdict == GATE_SAME)
			finding->reason = reason;
		finding->is_undecided = verdict == GATE_UNDECIDED;
	}
}

void gate_check_against(struct gate *gate, const struct gate_rules *rules, struct gate_run **runs,
			const char *reason)
{
	const struct gate_run *const *compared = (const struct gate_run *const *)runs;
	const struct gate_rules all = {.deny = "all", .max_lost = -1, .root = rules->root};
	struct gate diff = {.command = "diff",
			    .paths = gate->paths,
			    .base_count = gate->base_count,
			    .path_count = gate->path_count};

	gate_diff(&diff, &all, compared);
	for (size_t i = gate->base_count; i < gate->path_count; i++)
		judge_findings(&diff, runs[i], reason);
	for (size_t i = 0; i < diff.notes.count; i++)
		if (diff.notes.items[i].level == GATE_DIFFERENCE)
			gate_add_note(gate, GATE_DIFFERENCE,
				      text_format(&gate->arena, "%s", diff.notes.items[i].text));
	gate_free(&diff);
	gate_check(gate, rules, compared + gate->base_count, gate->path_count - gate->base_count);
}
