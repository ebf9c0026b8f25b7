#include "base/memory.h"
#include "findings/first_use_waits.h"
#include "findings/reliance.h"
#include "findings/sources.h"
#include "findings/steady.h"
#include "findings/watch_costs.h"
#include "render/edit_json.h"
#include "render/idle_table.h"
#include "render/incident_json.h"
#include "render/json_parts.h"
#include "render/race_json.h"
#include "render/render.h"
#include "render/tried.h"
#include "sample/sample.h"
#include "trace/site.h"

#include <stdlib.h>
#include <string.h>

/* Events that happened and are not in the file. */
static int64_t lost_events(const struct trace *trace)
{
	int64_t lost = 0;

	for (size_t i = 0; i < trace->loss_count; i++)
		lost += trace->losses[i].is_event ? trace->losses[i].count : 0;
	return lost;
}

static json_t *trace_object(const struct trace *trace)
{
	size_t events = trace->call_count + trace->operation_count + trace->untimed_operations;
	char *device = render_devices(trace);
	json_t *object;

	object = json_pack("{s:s, s:o, s:o, s:o, s:I, s:I, s:I}", "path", trace->path, "program",
			   text_or_null(trace_metadata(trace, "program")), "device",
			   text_or_null(device), "driver",
			   text_or_null(trace_metadata(trace, "driver_version")), "events",
			   (json_int_t)events, "lost_events", (json_int_t)lost_events(trace),
			   "untimed_records", (json_int_t)trace->untimed_operations);
	free(device);
	return object;
}

/* first: null where no call failed. count: with it. */
static json_t *failures_object(const struct trace *trace, const struct analysis *analysis)
{
	const struct failed_calls *failed = &analysis->failed;
	json_t *first = json_null();
	struct site site;
	char *name;

	if (failed->first) {
		site = site_describe(trace, failed->first->form->site, NULL);
		name = failures_name(failed->first);
		first = json_pack(
			"{s:s, s:s, s:i, s:I, s:o}", "call", failed->first->form->function->name,
			"error", name, "result", failed->first->form->result, "start_ns",
			(json_int_t)(failed->first->start_ns - analysis->headline.origin_ns),
			"site", site_object(&site));
		free(name);
	}
	return json_pack("{s:o, s:I}", "first", first, "count", (json_int_t)failed->count);
}

/* Of each device what the headline has of all. */
static json_t *devices_array(const struct analysis *analysis)
{
	json_t *array = json_array();

	for (size_t i = 0; i < analysis->device_count; i++) {
		const struct device *device = &analysis->devices[i];

		json_array_append_new(
			array, json_pack("{s:I, s:o, s:I, s:o, s:I, s:I, s:o, s:o}", "device",
					 (json_int_t)device->id, "name", text_or_null(device->name),
					 "wall_ns", (json_int_t)analysis->headline.wall_ns,
					 "busy_ns", busy_object(device->load.busy_ns), "idle_ns",
					 (json_int_t)device->load.idle_ns, "overlapped_ns",
					 (json_int_t)device->load.overlapped_ns, "lost_overlap_ns",
					 interval_object(&device->lost), "idle",
					 idle_device_array(analysis, device->id)));
	}
	return array;
}

/* With what was not asked for, and what the findings that were save together. */
static json_t *with_selection(json_t *object, const struct analysis *analysis)
{
	bool is_known = analysis->selected.hidden_count && analysis->check.has_estimates;

	json_object_set_new(object, "left_out",
			    json_integer((json_int_t)analysis->selected.hidden_count));
	json_object_set_new(object, "shown_lost_overlap_ns",
			    is_known ? interval_object(&analysis->selected.lost) : json_null());
	return object;
}

static json_t *sample_object(const struct analysis *analysis)
{
	return analysis->sample ? json_pack("{s:I, s:I, s:I}", "slices",
					    (json_int_t)sample_taken(analysis->sample), "of",
					    (json_int_t)sample_slices(analysis->sample), "error_ns",
					    (json_int_t)analysis->findings.sample_error_ns)
				: json_null();
}

static json_t *known_or_null(int64_t value, bool is_known)
{
	return is_known ? json_integer(value) : json_null();
}

/* null: no steps repeat. */
static json_t *steps_object(const struct analysis *analysis)
{
	const struct steady *steady = analysis->steady;
	struct stated saving;

	if (!steady)
		return json_null();
	saving = steady_saving_of_all(analysis);
	return json_pack("{s:I, s:o, s:o, s:I, s:I, s:o, s:o}", "count",
			 (json_int_t)steady->steps.count, "range",
			 text_or_null(steady->steps.range), "site",
			 steady->steps.call ? site_object(&steady->site) : json_null(), "median_ns",
			 (json_int_t)steady->median_ns, "idle_ns", (json_int_t)steady->idle_ns,
			 "startup_ns", known_or_null(steady->startup_ns, steady->startup_ns >= 0),
			 "lost_overlap_ns", interval_object(&saving));
}

static json_t *headline_object(const struct trace *trace, const struct analysis *analysis)
{
	return with_selection(
		json_pack("{s:I, s:I, s:I, s:I, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}",
			  "windows", (json_int_t)trace->window_count, "wall_ns",
			  (json_int_t)analysis->headline.wall_ns, "untraced_ns",
			  (json_int_t)analysis->check.untraced_ns, "untraced_doubt_ns",
			  (json_int_t)analysis->check.untraced_doubt_ns, "busy_ns",
			  busy_object(analysis->headline.busy_ns), "idle_ns",
			  (json_int_t)analysis->headline.idle_ns, "overlapped_ns",
			  (json_int_t)analysis->headline.overlapped_ns, "failed_calls",
			  failures_object(trace, analysis), "lost_overlap_ns",
			  interval_object(&analysis->findings.lost), "idle",
			  idle_array(analysis, &analysis->idle->all), "devices",
			  devices_array(analysis), "sample", sample_object(analysis), "steps",
			  steps_object(analysis)),
		analysis);
}

static json_t *range_object(const struct trace_range *range)
{
	return range ? json_pack("{s:o, s:o}", "name", text_or_null(range->name), "domain",
				 text_or_null(range->domain))
		     : json_null();
}

static json_t *evidence_array(const struct finding *finding)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < finding->evidence_count; i++) {
		const struct evidence_row *row = &finding->evidence[i];

		json_array_append_new(array,
				      json_pack("{s:I, s:I, s:s, s:o, s:o, s:o}", "start_ns",
						(json_int_t)row->start_ns, "end_ns",
						(json_int_t)row->end_ns, "text", row->text,
						"kernel", text_or_null(row->kernel), "cause_kernel",
						text_or_null(row->cause_kernel), "nvtx_range",
						range_object(row->range)));
	}
	return array;
}

/* The text on one line: where it breaks is the terminal's matter. */
static json_t *one_line(const char *text)
{
	char *copy = memory_format("%s", text), *newline;
	json_t *string;

	while ((newline = strchr(copy, '\n')))
		*newline = ' ';
	string = json_string(copy);
	free(copy);
	return string;
}

static json_t *unrelied_json(const struct analysis *analysis, const struct finding *finding)
{
	struct unrelied unrelied;

	if (!finding_is_unrelied(analysis, finding, &unrelied))
		return json_null();
	return json_pack("{s:I, s:I}", "places", (json_int_t)unrelied.places, "watched",
			 (json_int_t)unrelied.watched);
}

/* The object with what the fix relies on and costs, and what it saves a step. */
static json_t *with_advice(json_t *object, const struct trace *trace,
			   const struct analysis *analysis, const struct finding *finding)
{
	struct stated saving;

	if (analysis->steady)
		saving = steady_saving(analysis, finding);
	json_object_set_new(object, "step_ns",
			    analysis->steady ? interval_object(&saving) : json_null());
	json_object_set_new(object, "relies_on", text_or_null(finding->relies_on));
	json_object_set_new(object, "order", finding_order_json(trace, analysis, finding));
	json_object_set_new(object, "unrelied", unrelied_json(analysis, finding));
	json_object_set_new(object, "price", text_or_null(finding_price(finding)));
	json_object_set_new(object, "tried", tried_json(trace, finding));
	return object;
}

static void add_sites(json_t *array, const struct finding *part)
{
	for (size_t i = 0; i < part->site_count; i++) {
		const struct finding_site *line = &part->sites[i];

		json_array_append_new(array,
				      json_pack("{s:o, s:I, s:I}", "site", site_object(&line->site),
						"count", (json_int_t)line->count, "blocked_ns",
						(json_int_t)line->blocked_ns));
	}
}

static json_t *sites_array(const struct finding *finding)
{
	json_t *array = json_array();

	for (size_t i = 0; i < finding_part_count(finding); i++)
		add_sites(array, finding_part(finding, i));
	return array;
}

/* What must be fixed with it. */
static json_t *joined_array(const struct finding *finding)
{
	json_t *array = json_array();

	for (size_t i = 0; i < finding->joined_count; i++) {
		const struct finding *part = &finding->joined[i];

		json_array_append_new(
			array, json_pack("{s:s, s:s, s:o, s:I, s:I, s:I, s:o}", "id", part->id,
					 "title", part->title, "site", site_object(&part->site),
					 "count", (json_int_t)part->count, "blocked_ns",
					 (json_int_t)part->blocked_ns, "alone_ns",
					 (json_int_t)part->alone_ns, "fix", one_line(part->fix)));
	}
	return array;
}

static json_t *terms_object(const struct finding *finding)
{
	struct saving_terms terms = range_terms(finding);

	return json_pack("{s:I, s:I}", "own", (json_int_t)terms.own_ns, "overlap",
			 (json_int_t)(terms.released_ns + terms.overlap_ns));
}

/* null: not asked for, or not there. */
static json_t *source_object(const struct analysis *analysis, size_t index)
{
	const struct source_lines *source =
		analysis->sources ? &analysis->sources->items[index] : NULL;
	json_t *lines;

	if (!source || !source->count)
		return json_null();
	lines = json_array();
	for (size_t i = 0; i < source->count; i++)
		json_array_append_new(lines, json_string(source->lines[i]));
	return json_pack("{s:s, s:i, s:o, s:o}", "file", source->file, "first_line", source->first,
			 "lines", lines, "has_changed",
			 source->knows_age ? json_boolean(source->has_changed) : json_null());
}

static json_t *finding_object(const struct trace *trace, const struct analysis *analysis,
			      size_t index)
{
	const struct finding *finding = &analysis->findings.items[index];
	const struct in_order *row = &analysis->in_order[index];

	return with_advice(
		json_pack(
			"{s:I, s:s, s:s, s:o, s:o, s:o, s:o, s:i, s:I, s:I, s:o, s:o, s:o, s:o, "
			"s:I, "
			"s:o, s:o, s:o, s:o, s:o, s:s, s:I, s:o, s:o, s:o}",
			"number", (json_int_t)index + 1, "id", finding->id, "title", finding->title,
			"site", site_object(&finding->site), "sites", sites_array(finding),
			"copies", text_or_null(copy_sizes_text(finding->copies)), "shared",
			text_or_null(finding->shared), "look", finding->pass, "count",
			(json_int_t)finding->count, "blocked_ns", (json_int_t)finding->blocked_ns,
			"lost_overlap_ns", interval_object(&finding->lost), "lost_terms_ns",
			terms_object(finding), "low_end", text_or_null(range_doubt(finding)),
			"in_order_ns", known_or_null(row->saved_ns, row->saved_ns >= 0), "moved_ns",
			(json_int_t)row->moved_ns, "moves_to",
			known_or_null((int64_t)row->moves_to + 1, row->moved_ns > 0), "alone_ns",
			known_or_null(finding->alone_ns, finding->joined_count > 0), "joined",
			joined_array(finding), "evidence", evidence_array(finding), "fix",
			one_line(finding->fix), "saving",
			finding->is_bound   ? "bound"
			: finding->pass > 1 ? "beside"
					    : "alone",
			"costs_ns", (json_int_t)finding->costs_ns, "source",
			source_object(analysis, index), "call", finding_call_object(trace, finding),
			"edit", finding_edit_object(trace, analysis, index)),
		trace, analysis, finding);
}

static json_t *check_object(int64_t measured_ns, int64_t replayed_ns)
{
	double error = (double)(replayed_ns - measured_ns);

	return json_pack("{s:I, s:I, s:f}", "measured_ns", (json_int_t)measured_ns, "replayed_ns",
			 (json_int_t)replayed_ns, "error",
			 measured_ns ? error / (double)measured_ns : 0.0);
}

/* error: of the measured time; estimates are withheld when it is too large. */
static json_t *self_check_object(const struct trace *trace, const struct analysis *analysis)
{
	json_t *object, *devices;

	if (!trace->operation_count || analysis->check.replayed_ns < 0)
		return json_null();
	object = check_object(analysis->headline.wall_ns, analysis->check.replayed_ns);
	devices = json_array();
	for (size_t i = 0; i < analysis->device_count; i++) {
		const struct device_check *check = &analysis->check.devices[i];
		json_t *device = check_object(check->measured_ns, check->replayed_ns);

		json_object_set_new(device, "device", json_integer(analysis->devices[i].id));
		json_array_append_new(devices, device);
	}
	json_object_set_new(object, "devices", devices);
	return object;
}

static json_t *first_uses_array(const struct analysis *analysis)
{
	json_t *array = json_array();

	for (size_t i = 0; i < analysis->first_uses.count; i++) {
		const struct first_use_line *line = &analysis->first_uses.items[i];

		json_array_append_new(
			array,
			json_pack("{s:s, s:o, s:I, s:I, s:I, s:I, s:o, s:o}", "call",
				  line->function, "site", site_object(&line->site), "removable",
				  (json_int_t)line->counts[JUDGED_REMOVABLE], "movable",
				  (json_int_t)line->counts[JUDGED_MOVABLE], "needed",
				  (json_int_t)line->counts[JUDGED_NEEDED], "unknown",
				  (json_int_t)line->counts[JUDGED_UNKNOWN], "movable_by_ns",
				  line->counts[JUDGED_MOVABLE] ? json_integer(line->movable_ns)
							       : json_null(),
				  "needed_within_ns",
				  line->counts[JUDGED_NEEDED] ? json_integer(line->needed_ns)
							      : json_null()));
	}
	return array;
}

static json_t *watches_array(const struct trace *trace)
{
	struct watch_cost costs[WATCH_COSTS];
	const size_t count = watch_costs_find(trace, costs);
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, json_pack("{s:s, s:I, s:I}", "option", costs[i].option,
						       "copies", (json_int_t)costs[i].copies,
						       "cost_ns", (json_int_t)costs[i].ns));
	return array;
}

json_t *render_json(const struct trace *trace, const struct analysis *analysis, bool all)
{
	json_t *findings = json_array(), *not_seen = json_array();
	size_t i;

	for (i = 0; i < analysis->findings.count; i++)
		if (analysis_shows(analysis, i, all))
			json_array_append_new(findings, finding_object(trace, analysis, i));
	for (i = 0; i < analysis->not_seen.count; i++)
		json_array_append_new(not_seen, json_pack("{s:s, s:s}", "what",
							  analysis->not_seen.items[i].what, "why",
							  analysis->not_seen.items[i].why));
	return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "schema_version",
			 JSON_SCHEMA_VERSION, "trace", trace_object(trace), "incident",
			 incident_json(analysis->incident), "headline",
			 headline_object(trace, analysis), "self_check",
			 self_check_object(trace, analysis), "findings", findings, "first_uses",
			 first_uses_array(analysis), "races", races_json(analysis), "watches",
			 watches_array(trace), "not_seen", not_seen);
}
