#include "render/trial_text.h"

#include "render/json_parts.h"
#include "render/render.h"

#include <stdlib.h>

static json_t *part_object(const struct trial *trial, const struct trial_part *part)
{
	const bool is_tried = part->fix != TRIAL_FIX_COUNT;
	char *site = render_sites(trial->trace, part->finding);
	json_t *object = json_pack("{s:I, s:s, s:s, s:o, s:I, s:I, s:I, s:o}", "number",
				   (json_int_t)part->number, "id", part->finding->id, "place", site,
				   "fix", text_or_null(is_tried ? trial_fix_name(part->fix) : NULL),
				   "call_sites", (json_int_t)part->places, "calls",
				   (json_int_t)part->finding->instance_count, "untried_calls",
				   (json_int_t)part->left, "reason", text_or_null(part->refusal));

	free(site);
	return object;
}

static json_t *parts_array(const struct trial *trial)
{
	json_t *array = json_array();

	for (size_t i = 0; i < trial->plan.parts.count; i++)
		json_array_append_new(array, part_object(trial, &trial->plan.parts.items[i]));
	return array;
}

/* JSON null without pairs. */
static json_t *pairs_object(const struct trial_interval *interval)
{
	if (!interval->pairs)
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:I}", "low", (json_int_t)interval->low_ns, "estimate",
			 (json_int_t)interval->estimate_ns, "high", (json_int_t)interval->high_ns,
			 "pairs", (json_int_t)interval->pairs);
}

static json_t *results_object(const struct trial_comparison *results)
{
	return json_pack(
		"{s:I, s:I, s:I, s:b, s:o}", "same", (json_int_t)results->compared, "not_compared",
		(json_int_t)results->unknown, "varying", (json_int_t)results->varying,
		"count_varies", results->count_varies, "different",
		results->different ? json_integer((json_int_t)results->different) : json_null());
}

static json_t *taken_object(const struct trial *trial)
{
	const struct trial_payback payback = trial_payback_of(trial);

	return json_pack("{s:I, s:I, s:I, s:I, s:I}", "pinned_bytes",
			 (json_int_t)trial->pinned_bytes, "device_bytes",
			 (json_int_t)trial->device_bytes, "set_up_ns",
			 (json_int_t)trial->figures.set_up_ns, "payback_calls",
			 (json_int_t)payback.calls, "payback_runs", (json_int_t)payback.runs);
}

static json_t *medians_object(const struct trial_figures *figures)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "untouched_ns",
			 (json_int_t)figures->untouched_ns, "fixed_ns",
			 (json_int_t)figures->fixed_ns, "untouched_start_up_ns",
			 (json_int_t)figures->untouched_start_ns, "fixed_start_up_ns",
			 (json_int_t)figures->fixed_start_ns, "untouched_program_ns",
			 (json_int_t)figures->untouched_wall_ns, "fixed_program_ns",
			 (json_int_t)figures->fixed_wall_ns);
}

/* JSON null: whole runs were measured. */
static json_t *turns_object(const struct trial_turns *turns)
{
	if (!turns->count)
		return json_null();
	return json_pack("{s:I, s:I, s:I}", "count", (json_int_t)turns->count, "calls",
			 (json_int_t)turns->calls, "warm_up_calls", (json_int_t)turns->warm);
}

static json_t *calls_object(const struct trial *trial)
{
	const struct trial_count counted = trial_counted(trial);
	char *left = trial_text_left(trial);
	json_t *object =
		json_pack("{s:I, s:I, s:o}", "seen", (json_int_t)counted.calls, "changed",
			  (json_int_t)counted.applied, "unchanged_because", text_or_null(left));

	free(left);
	return object;
}

static json_t *side_text(const struct trial *trial, enum trial_verdict verdict)
{
	static const char *const sides[] = {
		[SIDE_BELOW] = "below", [SIDE_INSIDE] = "inside", [SIDE_ABOVE] = "above"};

	return text_or_null(trial_has_saving(verdict) ? sides[trial_side_of(trial)] : NULL);
}

bool print_trial_json(FILE *out, const struct trial *trial)
{
	const enum trial_verdict verdict = trial_verdict_of(trial);
	char *obstacle = trial_text_obstacle(trial);
	json_t *object = json_pack(
		"{s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:i}",
		"schema_version", JSON_SCHEMA_VERSION, "verdict", trial_verdict_name(verdict),
		"obstacle", text_or_null(obstacle), "findings", parts_array(trial), "predicted_ns",
		trial->plan.places.count ? interval_object(&trial->predicted) : json_null(),
		"tried_ns",
		trial_has_times(verdict) ? pairs_object(&trial->figures.saved) : json_null(),
		"predicted_range", side_text(trial, verdict), "control_ns",
		pairs_object(&trial->figures.control), "turns", turns_object(&trial->turns),
		"medians", medians_object(&trial->figures), "results",
		results_object(&trial->results), "calls", calls_object(trial), "takes",
		taken_object(trial), "runs", (json_int_t)trial->runs, "status", trial->status);

	free(obstacle);
	return print_json(out, object);
}
