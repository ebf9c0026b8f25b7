/* What the watch mode noticed, and the steps that it saw (incidents, steps). */
#include "trace/loader.h"

#include <string.h>

static const char *const causes[] = {
	[INCIDENT_SLOW_STEP] = "slow-step",
	[INCIDENT_HANG] = "hang",
	[INCIDENT_SIGNAL] = "signal",
	[INCIDENT_TRIGGER] = "trigger",
};

static const char *const kinds[] = {
	[STEP_SLOW] = "slow",
	[STEP_NORMAL] = "normal",
	[STEP_AFTER] = "after",
	[STEP_CURRENT] = "current",
};

/* The word's index; count: a newer version's word. */
static size_t index_of(const char *const *words, size_t count, const char *word)
{
	size_t i = 0;

	while (i < count && strcmp(words[i], word) != 0)
		i++;
	return i;
}

/* The row's index; MAP_NONE: it names none. */
static size_t find_row(struct rows *rows, int64_t id, const struct map *map, enum row_table table)
{
	return id == ROW_NULL ? MAP_NONE : trace_find_id(rows, id, map, table);
}

static void read_incidents(struct trace_loader *loader)
{
	VECTOR(struct trace_incident) incidents = {0};
	struct trace *trace = loader->trace;
	struct incidents_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_incidents, "ORDER BY id");
	while (rows_next_incidents(&rows, &row)) {
		const size_t function =
			find_row(&rows, row.function_id, &loader->function_map, TABLE_functions);
		const size_t site =
			find_row(&rows, row.site_id, &loader->site_map, TABLE_call_sites);

		*vector_add(&incidents) = (struct trace_incident){
			.cause = (enum incident_cause)index_of(
				causes, sizeof(causes) / sizeof(*causes), row.cause),
			.noticed_ns = row.noticed_ns,
			.step = row_or(row.step, -1),
			.median_ns = row_or(row.median_ns, -1),
			.normal_before = row_or(row.normal_before, -1),
			.function = function == MAP_NONE ? NULL : &trace->functions[function],
			.site = site == MAP_NONE ? NULL : &trace->sites[site],
			.entered_ns = row_or(row.entered_ns, -1),
			.thread_id = (uint32_t)row_or(row.thread_id, 0),
			.device_start_ns = row_or(row.device_start_ns, -1),
			.device_end_ns = row_or(row.device_end_ns, -1),
		};
	}
	rows_close(&rows);
	vector_move(&incidents, trace->incidents, trace->incident_count);
}

static void read_steps(struct trace_loader *loader)
{
	VECTOR(struct trace_step) steps = {0};
	struct steps_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_steps, "ORDER BY number");
	while (rows_next_steps(&rows, &row)) {
		rows_expect(&rows, "end_ns", row_or(row.end_ns, row.start_ns), row.start_ns,
			    INT64_MAX);
		*vector_add(&steps) = (struct trace_step){
			.number = row.number,
			.start_ns = row.start_ns,
			.end_ns = row_or(row.end_ns, -1),
			.read_bytes = row_or(row.read_bytes, -1),
			.thread_id = (uint32_t)row.thread_id,
			.kind = (enum step_kind)index_of(kinds, sizeof(kinds) / sizeof(*kinds),
							 row.kind),
		};
	}
	rows_close(&rows);
	vector_move(&steps, loader->trace->steps, loader->trace->step_count);
}

void trace_read_incidents(struct trace_loader *loader)
{
	read_incidents(loader);
	read_steps(loader);
}
