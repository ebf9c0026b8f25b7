#include "render/trial_text.h"

#include "base/format.h"
#include "base/memory.h"
#include "render/page.h"
#include "render/render.h"

#include <stdlib.h>

char *trial_text_left(const struct trial *trial)
{
	static const char *const texts[] = {
#define REFUSAL(id, text) [TRIAL_REFUSED_##id] = (text),
#include "facts/trial_refusals.def"
#undef REFUSAL
	};
	const uint32_t refusals = trial_counted(trial).refusals;
	char *text = NULL, *longer;

	for (size_t i = 0; i < TRIAL_REFUSAL_COUNT; i++) {
		if (!(refusals >> i & 1))
			continue;
		longer = text ? memory_format("%s, %s", text, texts[i])
			      : memory_format("%s", texts[i]);
		free(text);
		text = longer;
	}
	return text;
}

/* No call of the places was changed. */
static char *not_applied_text(const struct trial *trial)
{
	const struct trial_count counted = trial_counted(trial);
	char *left = trial_text_left(trial), *text;
	struct format calls;

	if (counted.calls)
		text = memory_format("none of %s calls was changed%s%s",
				     format_count(&calls, counted.calls), left ? ": " : "",
				     left ? left : "");
	else
		text = memory_format("the program made no call at these call sites: was it built "
				     "again since the trace?");
	free(left);
	return text;
}

static char *differing_text(const struct trial *trial)
{
	struct format copy;

	return memory_format(
		"results differ: copy %s to the host brings other bytes with the fixes",
		format_count(&copy, trial->results.different));
}

/* Parts say themselves why they are refused. */
static const char *refused_text(const struct trial *trial)
{
	if (trial->plan.parts.count)
		return "no fix can be tried";
	if (!trial->analysis->findings.count)
		return "no fix can be tried: the report has no finding";
	return "no fix can be tried: the report shows no finding whose fix saves time";
}

char *trial_text_obstacle(const struct trial *trial)
{
	switch (trial_verdict_of(trial)) {
	case VERDICT_REFUSED:
		return memory_format("%s", refused_text(trial));
	case VERDICT_FAILED:
		return trial->end == TRIAL_HUNG
			       ? memory_format("a run with the fixes did not end, and was killed")
			       : memory_format("a run with the fixes ended with status %d, the "
					       "untouched program with %d",
					       trial->ended_status, trial->status);
	case VERDICT_UNSTEADY:
		return trial->ended_status == trial->status
			       ? memory_format("an untouched run did not end, and was killed")
			       : memory_format("untouched runs ended with status %d and %d",
					       trial->status, trial->ended_status);
	case VERDICT_NOT_SEEN:
		return memory_format(TRIAL_NEEDS_SHARED_RUNTIME);
	case VERDICT_NOT_APPLIED:
		return not_applied_text(trial);
	case VERDICT_RESULTS_DIFFER:
		return differing_text(trial);
	default:
		return NULL;
	}
}

static void print_part(const struct page *page, const struct trial *trial,
		       const struct trial_part *part, const char *lead)
{
	char *site = render_sites(trial->trace, part->finding);

	if (part->fix == TRIAL_FIX_COUNT)
		print_formatted(page, lead, FIELD_INDENT, "%zu. %s at %s: %s", part->number,
				part->finding->id, site, part->refusal);
	else
		print_formatted(page, lead, FIELD_INDENT, "%zu. %s at %s: %s, %zu call site%s",
				part->number, part->finding->id, site, trial_fix_name(part->fix),
				part->places, part->places == 1 ? "" : "s");
	free(site);
}

/* A line a finding that is tried, or that is refused. */
static void print_parts(const struct page *page, const struct trial *trial, bool is_refused)
{
	const char *lead = is_refused ? "refused" : "fixes";

	for (size_t i = 0; i < trial->plan.parts.count; i++) {
		const struct trial_part *part = &trial->plan.parts.items[i];
		struct format left, all;

		if ((part->fix == TRIAL_FIX_COUNT) != is_refused)
			continue;
		print_part(page, trial, part, lead);
		lead = "";
		if (!is_refused && part->left)
			print_formatted(
				page, "", FIELD_INDENT, "%s of its %s calls are not tried: %s",
				format_count(&left, part->left),
				format_count(&all, part->finding->instance_count), part->refusal);
	}
}

static void print_predicted(const struct page *page, const struct trial *trial)
{
	const struct stated *saved = &trial->predicted;
	struct format saves, range, percent;
	char *without = !trial->unmade
				? memory_format("%s", "")
				: memory_format(", without %zu call site%s where no call was changed",
						trial->unmade, trial->unmade == 1 ? "" : "s");

	print_formatted(
		page, "predicted", FIELD_INDENT, "saves %s (%s, range %s)%s",
		format_time(&saves, saved->estimate_ns),
		format_percent(&percent, saved->estimate_ns, trial->analysis->check.untraced_ns),
		format_time_range(&range, saved->low_ns, saved->high_ns), without);
	free(without);
}

/* "95 % interval 37.2..41.0 ms, 6 pairs of runs" */
static char *interval_text(const struct trial *trial, const struct trial_interval *interval)
{
	struct format range;

	return memory_format("%d %% interval %s, %zu pairs of %s", TRIAL_CONFIDENCE_PERCENT,
			     format_time_range(&range, interval->low_ns, interval->high_ns),
			     interval->pairs, trial->turns.count ? "turns" : "runs");
}

static char *saving_text(const struct trial *trial, const char *interval)
{
	static const char *const sides[] = {[SIDE_BELOW] = "less than predicted",
					    [SIDE_INSIDE] = "inside the predicted range",
					    [SIDE_ABOVE] = "more than predicted"};
	const int64_t saved_ns = trial->figures.saved.estimate_ns;
	const bool saves = trial->figures.finding == TRIAL_SAVES;
	struct format time, percent;

	return memory_format(
		"%s %s (%s, %s): %s", saves ? "saves" : "costs",
		format_time(&time, saves ? saved_ns : -saved_ns),
		format_percent(&percent, saves ? saved_ns : -saved_ns,
			       trial->figures.untouched_start_ns + trial->figures.untouched_ns),
		interval, sides[trial_side_of(trial)]);
}

/* What the times say; malloc'ed. */
static char *times_text(const struct trial *trial)
{
	const struct trial_figures *figures = &trial->figures;
	char *interval, *text;
	struct format time;

	if (figures->finding == TRIAL_FEW_PAIRS)
		return memory_format("undecided: %zu pairs of runs, %d are needed: --time and "
				     "--runs allow more",
				     figures->saved.pairs, TRIAL_LEAST_PAIRS);
	if (figures->finding == TRIAL_CONTROL)
		return memory_format("no saving is claimed: untouched %s differ from each other",
				     trial->turns.count ? "turns" : "runs");
	interval = interval_text(trial, &figures->saved);
	text = figures->finding == TRIAL_SAME
		       ? memory_format("no difference: %s (%s)",
				       format_time(&time, figures->saved.estimate_ns), interval)
		       : saving_text(trial, interval);
	free(interval);
	return text;
}

char *trial_text_outcome(const struct trial *trial)
{
	char *obstacle = trial_text_obstacle(trial), *text;

	if (!obstacle)
		return times_text(trial);
	text = memory_format("no saving is claimed: %s", obstacle);
	free(obstacle);
	return text;
}

/* What the medians are of; malloc'ed. */
static char *medians_text(const struct trial_turns *turns)
{
	struct format calls, all;

	if (!turns->count)
		return memory_format(
			"medians, from the first operation enqueued to the last CUDA call");
	return memory_format(
		"all %s calls at the pace of the median turn: %zu turns of %s calls in one run",
		format_count(&all, turns->of_run), turns->count,
		format_count(&calls, turns->calls));
}

static void print_times(const struct page *page, const struct trial *trial)
{
	const struct trial_figures *figures = &trial->figures;
	char *interval, *medians = medians_text(&trial->turns);
	struct format a, b, c, d, e, f;

	if (figures->saved.pairs)
		print_formatted(page, "times", FIELD_INDENT,
				"%s untouched, %s with the fixes (%s); start-up %s and %s; whole "
				"program %s and %s",
				format_time(&a, figures->untouched_ns),
				format_time(&b, figures->fixed_ns), medians,
				format_time(&c, figures->untouched_start_ns),
				format_time(&d, figures->fixed_start_ns),
				format_time(&e, figures->untouched_wall_ns),
				format_time(&f, figures->fixed_wall_ns));
	free(medians);
	if (!figures->control.pairs)
		return;
	interval = interval_text(trial, &figures->control);
	print_formatted(page, "control", FIELD_INDENT, "%s between untouched %s (%s)",
			format_time(&a, figures->control.estimate_ns),
			trial->turns.count ? "turns" : "runs", interval);
	free(interval);
}

static void print_results(const struct page *page, const struct trial *trial)
{
	const struct trial_comparison *results = &trial->results;
	struct format compared, varying, unknown;

	if (!trial->counts)
		return;
	print_formatted(page, "results", FIELD_INDENT, "%s copies to the host are the same",
			format_count(&compared, results->compared));
	if (results->unknown)
		print_formatted(page, "", FIELD_INDENT,
				"%s were overwritten before they could be compared",
				format_count(&unknown, results->unknown));
	if (results->varying || results->count_varies)
		print_formatted(page, "", FIELD_INDENT,
				"the program differs from itself: %s copies are not the same in "
				"untouched runs%s",
				format_count(&varying, results->varying),
				results->count_varies ? ", nor is their number" : "");
}

/* "64.0 MB of pinned memory"; malloc'ed; NULL: no bytes. */
static char *memory_text(uint64_t bytes, const char *kind)
{
	struct format format;

	return bytes ? memory_format("%s of %s memory", format_bytes(&format, bytes), kind) : NULL;
}

/* ", paid back after 12 calls (1 run)", or "" where it is not known; malloc'ed. */
static char *payback_text(const struct trial_payback *payback)
{
	struct format calls, runs;

	if (!payback->calls)
		return memory_format("%s", "");
	return memory_format(", paid back after %s call%s (%s run%s)",
			     format_count(&calls, payback->calls), payback->calls == 1 ? "" : "s",
			     format_count(&runs, payback->runs), payback->runs == 1 ? "" : "s");
}

/* What the fixes take, and when that is paid back. */
static void print_taken(const struct page *page, const struct trial *trial)
{
	const struct trial_payback payback = trial_payback_of(trial);
	char *pinned = memory_text(trial->pinned_bytes, "pinned");
	char *device = memory_text(trial->device_bytes, "device");
	char *until = payback_text(&payback);
	struct format time;

	if (pinned || device)
		print_formatted(page, "memory", FIELD_INDENT, "%s%s%s", pinned ? pinned : "",
				pinned && device ? ", " : "", device ? device : "");
	if (trial->figures.set_up_ns)
		print_formatted(page, "set-up", FIELD_INDENT, "%s a run, not counted above%s",
				format_time(&time, trial->figures.set_up_ns), until);
	free(until);
	free(device);
	free(pinned);
}

static void print_left(const struct page *page, const struct trial *trial)
{
	const struct trial_count counted = trial_counted(trial);
	char *left = trial_text_left(trial);
	struct format rest, all;

	if (left && counted.applied)
		print_formatted(page, "left", FIELD_INDENT, "%s of %s calls were not changed: %s",
				format_count(&rest, counted.calls - counted.applied),
				format_count(&all, counted.calls), left);
	free(left);
}

/* What the runs were like, where something is said of their times. */
static void print_runs(const struct page *page, const struct trial *trial)
{
	print_times(page, trial);
	print_results(page, trial);
	print_taken(page, trial);
	print_left(page, trial);
}

bool print_trial_text(FILE *out, const struct trial *trial)
{
	struct page page = page_open(out);
	char *obstacle = trial_text_obstacle(trial), *outcome = trial_text_outcome(trial);

	print_parts(&page, trial, false);
	print_parts(&page, trial, true);
	if (trial->plan.places.count)
		print_predicted(&page, trial);
	if (trial_has_saving(trial_verdict_of(trial)))
		page_set_style(&page, PAGE_STRONG);
	print_formatted(&page, "tried", FIELD_INDENT, "%s", outcome);
	page_set_style(&page, PAGE_PLAIN);
	if (!obstacle)
		print_runs(&page, trial);
	free(outcome);
	free(obstacle);
	return true;
}
