/* A summary as bytes. */
#include "findings/idle.h"
#include "job/summary.h"
#include "job/summary_times.h"
#include "trace/database.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

extern const char summary_schema[];

/* Inserts a row. */
static void finish_row(struct query *query)
{
	query_next(query);
}

static void write_fact(struct query *query, const char *key, const char *value)
{
	if (!value)
		return;
	query_bind_word(query, 1, key);
	query_bind_word(query, 2, value);
	finish_row(query);
}

static void write_number(struct query *query, const char *key, int64_t number, int64_t absent)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, number);
	write_fact(query, key, number == absent ? NULL : text);
}

static void write_incident(struct query *query, const struct summary_incident *incident)
{
	write_fact(query, "incident_why", incident->why);
	write_number(query, "incident_step", incident->step, -1);
	write_number(query, "incident_step_ns", incident->step_ns, -1);
	write_number(query, "incident_extra_ns", incident->extra_ns, -1);
	write_number(query, "incident_own_ns", incident->own_ns, -1);
	write_number(query, "incident_late_ns", incident->late_ns, -1);
}

static void write_facts(struct database *database, const struct summary *summary)
{
	struct query query;

	query_open(&query, database, "metadata", "INSERT INTO metadata VALUES (?, ?)");
	write_fact(&query, "trace", summary->trace);
	write_fact(&query, "program", summary->program);
	write_fact(&query, "host", summary->host);
	write_fact(&query, "run", summary->run);
	write_fact(&query, "gpu", summary->gpu);
	write_fact(&query, "boot_id", summary->boot_id);
	write_fact(&query, "traced_by", summary->traced_by);
	write_number(&query, "process_id", summary->process_id, -1);
	write_fact(&query, "incident", summary->incident.text);
	if (summary->incident.text)
		write_incident(&query, &summary->incident);
	write_number(&query, "rank", summary->rank, SUMMARY_NO_RANK);
	write_number(&query, "local_rank", summary->local_rank, SUMMARY_NO_RANK);
	write_number(&query, "ranks", summary->ranks, 0);
	write_number(&query, "start_ns", summary->start_ns, 0);
	write_number(&query, "end_ns", summary->end_ns, 0);
	write_number(&query, "first_ns", summary->first_ns, -1);
	write_number(&query, "last_ns", summary->last_ns, -1);
	write_number(&query, "calls", (int64_t)summary->call_count, -1);
	write_number(&query, "operations", (int64_t)summary->operation_count, -1);
	write_fact(&query, "untraced",
		   summary->has_untraced_cupti ? "cupti"
		   : summary->has_untraced     ? "own"
					       : NULL);
	write_fact(&query, "estimates", summary->has_estimates ? NULL : "off");
	write_fact(&query, "sample", summary->is_sample ? "on" : NULL);
	query_close(&query);
}

/* device: -1 is the process. */
static void write_times(struct query *query, int64_t device, struct summary_times times)
{
	for (size_t i = 0; i < summary_time_count(); i++) {
		int64_t ns = *summary_time_at(&times, i);

		if (!ns)
			continue;
		query_bind_value(query, 1, device, -1);
		query_bind_word(query, 2, summary_time_word(i));
		query_bind_value(query, 3, ns, INT64_MIN);
		finish_row(query);
	}
}

static void write_all_times(struct database *database, const struct summary *summary)
{
	struct query query;

	query_open(&query, database, "times", "INSERT INTO times VALUES (?, ?, ?)");
	write_times(&query, -1,
		    (struct summary_times){summary->wall_ns, summary->untraced_ns,
					   summary->replayed_ns, summary->lost, summary->load});
	for (size_t i = 0; i < summary->device_count; i++) {
		const struct summary_device *device = &summary->devices[i];

		write_times(&query, device->id,
			    (struct summary_times){.wall_ns = device->wall_ns,
						   .lost = device->lost,
						   .load = device->load});
	}
	query_close(&query);
}

static void write_devices(struct database *database, const struct summary *summary)
{
	struct query query;

	query_open(&query, database, "devices", "INSERT INTO devices VALUES (?, ?)");
	for (size_t i = 0; i < summary->device_count; i++) {
		query_bind_value(&query, 1, summary->devices[i].id, -1);
		query_bind_word(&query, 2, summary->devices[i].name);
		finish_row(&query);
	}
	query_close(&query);
}

static void write_finding(struct query *query, const struct summary_finding *finding)
{
	const char *texts[] = {finding->id,	   finding->title,    finding->fix,
			       finding->relies_on, finding->price,    finding->cost,
			       finding->where,	   finding->function, finding->evidence};
	int64_t numbers[] = {finding->pass,	   (int64_t)finding->count,   finding->blocked_ns,
			     finding->lost.low_ns, finding->lost.estimate_ns, finding->lost.high_ns,
			     finding->is_folded,   finding->is_bound,	      finding->costs_ns};
	int parameter = 1;

	query_bind_value(query, parameter++, finding->number, -1);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		query_bind_word(query, parameter++, texts[i]);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		query_bind_value(query, parameter++, numbers[i], INT64_MIN);
	finish_row(query);
}

static void write_findings(struct database *database, const struct summary *summary)
{
	struct query query;

	query_open(&query, database, "findings",
		   "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		   "?, ?, ?)");
	for (size_t i = 0; i < summary->finding_count; i++)
		write_finding(&query, &summary->findings[i]);
	query_close(&query);
}

static void write_idle_lines(struct database *database, const struct summary *summary)
{
	struct query query;

	query_open(&query, database, "idle_lines",
		   "INSERT INTO idle_lines VALUES (?, ?, ?, ?, ?, ?, ?)");
	for (size_t i = 0; i < summary->idle_line_count; i++) {
		const struct summary_idle_line *line = &summary->idle_lines[i];

		query_bind_value(&query, 1, (int64_t)i, -1);
		query_bind_word(&query, 2, idle_cause_word(line->cause));
		query_bind_word(&query, 3, line->where);
		query_bind_word(&query, 4, line->function);
		query_bind_word(&query, 5, line->from);
		query_bind_value(&query, 6, line->ns, -1);
		query_bind_value(&query, 7, (int64_t)line->gaps, -1);
		finish_row(&query);
	}
	query_close(&query);
}

static void write_communicators(struct database *database, const struct summary *summary)
{
	struct query query;
	char unique_id[17];

	query_open(&query, database, "communicators",
		   "INSERT INTO communicators VALUES (?, ?, ?, ?, ?, ?, ?)");
	for (size_t i = 0; i < summary->communicator_count; i++) {
		const struct summary_communicator *at = &summary->communicators[i];

		snprintf(unique_id, sizeof(unique_id), "%016" PRIx64, at->unique_id);
		query_bind_value(&query, 1, (int64_t)i, -1);
		query_bind_word(&query, 2, unique_id);
		query_bind_value(&query, 3, at->rank, -1);
		query_bind_value(&query, 4, at->ranks, -1);
		query_bind_value(&query, 5, at->device_id, -1);
		query_bind_value(&query, 6, (int64_t)at->collectives, -1);
		query_bind_value(&query, 7, (int64_t)at->matched, -1);
		finish_row(&query);
	}
	query_close(&query);
}

static void write_one_packed(struct query *query, const char *what, size_t count, const void *data,
			     size_t size)
{
	if (!count)
		return;
	query_bind_word(query, 1, what);
	query_bind_value(query, 2, (int64_t)count, -1);
	query_bind_bytes(query, 3, data, size);
	finish_row(query);
}

static void write_packed(struct database *database, const struct summary *summary)
{
	struct query query;
	size_t size, paths_size = 0;
	void *arrivals = arrivals_pack(summary->arrivals, summary->arrival_count, &size);
	void *paths = summary->paths ? paths_pack(summary->paths, &paths_size) : NULL;

	query_open(&query, database, "packed", "INSERT INTO packed VALUES (?, ?, ?)");
	write_one_packed(&query, "arrivals", summary->arrival_count, arrivals, size);
	write_one_packed(&query, "paths", paths ? 1 : 0, paths, paths_size);
	query_close(&query);
	free(arrivals);
	free(paths);
}

static void write_notes(struct database *database, const struct summary *summary)
{
	struct query query;

	query_open(&query, database, "notes", "INSERT INTO notes VALUES (?, ?, ?)");
	for (size_t i = 0; i < summary->note_count; i++) {
		query_bind_value(&query, 1, (int64_t)i, -1);
		query_bind_word(&query, 2, summary->notes[i].what);
		query_bind_word(&query, 3, summary->notes[i].why);
		finish_row(&query);
	}
	query_close(&query);
}

void *summary_to_bytes(const struct summary *summary, size_t *size, char **error)
{
	struct database database;
	void *bytes;

	database_create_bytes(&database, summary_schema);
	write_facts(&database, summary);
	write_devices(&database, summary);
	write_all_times(&database, summary);
	write_findings(&database, summary);
	write_idle_lines(&database, summary);
	write_communicators(&database, summary);
	write_packed(&database, summary);
	write_notes(&database, summary);
	bytes = database_to_bytes(&database, size);
	*error = database_close(&database);
	return bytes;
}
