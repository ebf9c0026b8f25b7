/* The report of a job for programs: job_schema.json. */
#include "findings/idle.h"
#include "job/groups.h"
#include "render/job.h"
#include "render/job_incident_text.h"
#include "render/json_parts.h"

#include <stdlib.h>

static json_t *number_or_null(int64_t number, int64_t absent)
{
	return number == absent ? json_null() : json_integer(number);
}

static json_t *idle_object(const struct summary_load *load)
{
	static const char *const words[] = {
#define IDLE_CAUSE(symbol, word, text) word,
#include "replay/idle_causes.def"
	};
	json_t *object = json_object();

	for (size_t i = 0; i < IDLE_CAUSE_COUNT; i++)
		if (load->idle_by_cause_ns[i])
			json_object_set_new(object, words[i],
					    json_integer(load->idle_by_cause_ns[i]));
	return object;
}

static json_t *device_object(const struct summary_device *device)
{
	return json_pack("{s:I, s:o, s:I, s:I, s:I, s:o, s:o, s:o}", "id", (json_int_t)device->id,
			 "name", text_or_null(device->name), "wall_ns", (json_int_t)device->wall_ns,
			 "idle_ns", (json_int_t)device->load.idle_ns, "overlapped_ns",
			 (json_int_t)device->load.overlapped_ns, "busy_ns",
			 busy_object(device->load.busy_ns), "idle_by_cause_ns",
			 idle_object(&device->load), "lost_ns", interval_object(&device->lost));
}

static json_t *devices_array(const struct summary *summary)
{
	json_t *devices = json_array();

	for (size_t i = 0; i < summary->device_count; i++)
		json_array_append_new(devices, device_object(&summary->devices[i]));
	return devices;
}

static json_t *worst_object(const struct job_row *row)
{
	if (!row->worst)
		return json_null();
	return json_pack("{s:s, s:s, s:I}", "id", row->worst->id, "where", row->worst->where,
			 "saved_ns",
			 (json_int_t)summary_saving(row->member->summary, &row->worst->lost));
}

static json_t *process_object(const struct job_row *row)
{
	const struct summary *summary = row->member->summary;
	const struct job_waiting *waiting = &row->waiting;
	json_t *object = json_pack(
		"{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "trace", summary->trace, "rank",
		number_or_null(summary->rank, SUMMARY_NO_RANK), "local_rank",
		number_or_null(summary->local_rank, SUMMARY_NO_RANK), "host",
		text_or_null(summary->host), "process_id", number_or_null(summary->process_id, -1),
		"program", text_or_null(summary->program), "gpu", text_or_null(summary->gpu));
	json_t *times =
		json_pack("{s:I, s:I, s:I, s:o, s:I, s:I, s:o, s:o, s:b, s:o, s:o}", "start_ns",
			  (json_int_t)summary->first_ns, "wall_ns", (json_int_t)summary->wall_ns,
			  "untraced_ns", (json_int_t)summary->untraced_ns, "replayed_ns",
			  number_or_null(summary->replayed_ns, -1), "idle_ns",
			  (json_int_t)summary->load.idle_ns, "overlapped_ns",
			  (json_int_t)summary->load.overlapped_ns, "busy_ns",
			  busy_object(summary->load.busy_ns), "lost_ns",
			  interval_object(&summary->lost), "has_estimates", summary->has_estimates,
			  "largest_finding", worst_object(row), "devices", devices_array(summary));

	json_object_update_missing(object, times);
	json_decref(times);
	json_object_set_new(object, "idle_by_cause_ns", idle_object(&summary->load));
	json_object_set_new(object, "collectives",
			    json_pack("{s:I, s:I, s:I, s:I}", "seen", (json_int_t)waiting->seen,
				      "complete", (json_int_t)waiting->complete, "waited_ns",
				      (json_int_t)waiting->waited_ns, "transfer_ns",
				      (json_int_t)waiting->transfer_ns));
	return object;
}

static json_t *rows_array(const uint32_t *indexes, size_t count)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(rows, json_integer(indexes[i]));
	return rows;
}

static json_t *finding_object(const struct job_group *group)
{
	const struct summary_finding *finding = group->finding;
	json_t *object = json_pack(
		"{s:s, s:s, s:s, s:o, s:s, s:o, s:o, s:o}", "id", group->id, "title",
		finding->title, "where", group->where, "function", text_or_null(finding->function),
		"fix", finding->fix, "relies_on", text_or_null(finding->relies_on), "price",
		text_or_null(finding->price), "evidence", text_or_null(finding->evidence));
	json_t *numbers = json_pack(
		"{s:o, s:I, s:I, s:o, s:{s:I, s:I, s:I}, s:I, s:b, s:b, s:b, s:I}", "processes",
		rows_array(group->rows, group->row_count), "count", (json_int_t)group->count,
		"blocked_ns", (json_int_t)group->blocked_ns, "saved_ns",
		interval_object(&group->saved), "own_saved_ns", "smallest",
		(json_int_t)group->smallest_ns, "median", (json_int_t)group->median_ns, "largest",
		(json_int_t)group->largest_ns, "largest_process", (json_int_t)group->most,
		"is_later", group->is_later, "is_folded", group->is_folded, "is_bound",
		group->is_bound, "costs_ns", (json_int_t)group->costs_ns);

	json_object_update_missing(object, numbers);
	json_decref(numbers);
	return object;
}

static json_t *straggler_object(const struct job_report *report,
				const struct job_straggler *straggler)
{
	size_t row = job_report_row(report, straggler->member);

	return json_pack("{s:o, s:I, s:I, s:I, s:I}", "process",
			 row == SIZE_MAX ? json_null() : json_integer((json_int_t)row),
			 "last_count", (json_int_t)straggler->last_count, "others_waited_ns",
			 (json_int_t)straggler->late_ns, "behind_next_ns",
			 (json_int_t)straggler->alone_ns, "late_launch_ns",
			 (json_int_t)straggler->launch_ns);
}

static json_t *cause_object(const struct job_cause *cause)
{
	const struct summary_idle_line *line = cause->line;
	json_t *finding, *idle;

	if (!cause->finding && !line)
		return json_null();
	finding = cause->finding ? json_pack("{s:s, s:s}", "id", cause->finding->id, "where",
					     cause->finding->where)
				 : json_null();
	idle = line ? json_pack("{s:s, s:s, s:o, s:o, s:I}", "cause", idle_cause_word(line->cause),
				"where", line->where, "from", text_or_null(line->from), "function",
				text_or_null(line->function), "idle_ns", (json_int_t)line->ns)
		    : json_null();
	return json_pack("{s:o, s:o, s:I}", "finding", finding, "idle_line", idle, "more_ns",
			 (json_int_t)cause->more_ns);
}

static json_t *job_object(const struct job_report *report)
{
	return json_pack("{s:I, s:I, s:o, s:I, s:I, s:I, s:o, s:b, s:s, s:{s:I, s:I}}", "processes",
			 (json_int_t)report->row_count, "ranks", (json_int_t)report->rank_count,
			 "expected_ranks", number_or_null(report->expected_ranks, 0), "hosts",
			 (json_int_t)report->host_count, "wall_ns", (json_int_t)report->wall_ns,
			 "untraced_ns", (json_int_t)report->untraced_ns, "lost_ns",
			 interval_object(&report->lost), "has_estimates", report->has_estimates,
			 "method", report->method == JOB_JOINT ? "joint" : "slowest", "collectives",
			 "seen", (json_int_t)report->collective_count, "complete",
			 (json_int_t)report->complete_count);
}

static json_t *left_out_array(const struct job_report *report)
{
	json_t *left_out = json_array();

	for (size_t i = 0; i < report->left_out_count; i++)
		json_array_append_new(left_out,
				      json_pack("{s:s, s:s}", "who", report->left_out[i].who, "why",
						report->left_out[i].why));
	return left_out;
}

static json_t *not_seen_array(const struct job_report *report)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < report->limit_count; i++) {
		const struct job_limit *limit = &report->limits[i];

		json_array_append_new(rows, json_pack("{s:s, s:s, s:o, s:b}", "what", limit->what,
						      "why", limit->why, "processes",
						      rows_array(limit->rows, limit->row_count),
						      "is_same", limit->is_same));
	}
	return rows;
}

static json_t *incident_process(const struct job_member *member)
{
	const struct summary_incident *incident = &member->summary->incident;

	return json_pack(
		"{s:s, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "trace", member->summary->trace,
		"rank", number_or_null(member->summary->rank, SUMMARY_NO_RANK), "process_id",
		number_or_null(member->summary->process_id, -1), "text", incident->text, "why",
		text_or_null(incident->why), "step_ns", number_or_null(incident->step_ns, -1),
		"extra_ns", number_or_null(incident->extra_ns, -1), "own_ns",
		number_or_null(incident->own_ns, -1), "late_ns",
		number_or_null(incident->late_ns, -1));
}

static json_t *incidents_array(const struct job_report *report)
{
	json_t *array = json_array();

	for (size_t i = 0; i < report->incidents.count; i++) {
		const struct job_incident *incident = &report->incidents.items[i];
		json_t *processes = json_array();
		char *text = job_incident_text(incident);

		for (size_t k = 0; k < incident->count; k++)
			json_array_append_new(processes, incident_process(incident->members[k]));
		json_array_append_new(
			array,
			json_pack("{s:o, s:s, s:o, s:o}", "step",
				  number_or_null(incident->step, -1), "text", text, "late_first",
				  incident->first ? json_string(incident->first->summary->trace)
						  : json_null(),
				  "processes", processes));
		free(text);
	}
	return array;
}

bool print_job_json(FILE *out, const struct job_report *report, bool all)
{
	json_t *processes = json_array(), *findings = json_array(), *late = json_array(),
	       *clocks = json_array();

	for (size_t i = 0; i < report->row_count; i++)
		json_array_append_new(processes, process_object(&report->rows[i]));
	for (size_t i = 0; i < report->group_count; i++)
		if (all || !report->groups[i].is_folded)
			json_array_append_new(findings, finding_object(&report->groups[i]));
	for (size_t i = 0; i < report->straggler_count; i++)
		json_array_append_new(late, straggler_object(report, &report->stragglers[i]));
	for (size_t i = 0; i < report->clock_line_count; i++)
		json_array_append_new(clocks, json_string(report->clock_lines[i]));
	return print_json(out, json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
					 "schema_version", JSON_SCHEMA_VERSION, "job",
					 job_object(report), "incidents", incidents_array(report),
					 "processes", processes, "findings", findings, "late", late,
					 "late_cause", cause_object(&report->late_cause), "clocks",
					 clocks, "left_out", left_out_array(report), "not_seen",
					 not_seen_array(report)));
}
