/* What the host's threads were found doing (host_states). */
#include "trace/loader.h"

static int compare_states(const void *a, const void *b)
{
	const struct trace_host_state *x = a, *y = b;

	if (x->thread_id != y->thread_id)
		return x->thread_id < y->thread_id ? -1 : 1;
	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

static const char *name_of(const struct trace_loader *loader, struct rows *rows, int64_t id)
{
	const size_t index = id == ROW_NULL
				     ? MAP_NONE
				     : trace_find_id(rows, id, &loader->string_map, TABLE_strings);

	return index == MAP_NONE ? NULL : loader->strings.items[index];
}

static const struct trace_site *site_of(const struct trace_loader *loader, struct rows *rows,
					int64_t id)
{
	const size_t index = id == ROW_NULL
				     ? MAP_NONE
				     : trace_find_id(rows, id, &loader->site_map, TABLE_call_sites);

	return index == MAP_NONE ? NULL : &loader->trace->sites[index];
}

/* The clock can have been set back between two looks: what overlaps is cut, what is empty then is
 * left out. */
static size_t keep_apart(struct trace_host_state *states, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct trace_host_state state = states[i];
		const struct trace_host_state *last = kept ? &states[kept - 1] : NULL;

		if (last && last->thread_id == state.thread_id && last->end_ns > state.start_ns)
			state.start_ns = last->end_ns;
		if (state.end_ns > state.start_ns)
			states[kept++] = state;
	}
	return kept;
}

static int compare_threads(const void *a, const void *b)
{
	const struct trace_thread *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static void read_threads(struct trace_loader *loader)
{
	VECTOR(struct trace_thread) threads = {0};
	struct threads_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_threads, "");
	while (rows_next_threads(&rows, &row))
		*vector_add(&threads) = (struct trace_thread){
			row.id, row.name ? trace_keep_text(loader, row.name) : NULL};
	rows_close(&rows);
	vector_sort(&threads, compare_threads);
	vector_move(&threads, loader->trace->threads, loader->trace->thread_count);
}

/* Nsight Systems can have recorded waits alone: then it is unknown what a thread did that ran. */
static bool are_runs_seen(const struct trace_loader *loader, const struct trace_host_state *states,
			  size_t count)
{
	size_t i = 0;

	while (loader->database.is_nsys && i < count && states[i].state != HOST_STATE_RUNNING)
		i++;
	return i < count;
}

void trace_read_host_states(struct trace_loader *loader)
{
	VECTOR(struct trace_host_state) states = {0};
	struct host_states_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_host_states, "");
	while (rows_next_host_states(&rows, &row)) {
		*vector_add(&states) = (struct trace_host_state){
			.start_ns = row.start_ns,
			.end_ns = row.end_ns,
			.ready_ns = row_or(row.ready_ns, 0),
			.faults = row_or(row.faults, -1),
			.system_ns = row_or(row.system_ns, -1),
			.object = row_or(row.object, -1),
			.name = name_of(loader, &rows, row.object_id),
			.site = site_of(loader, &rows, row.site_id),
			.thread_id = (uint32_t)row.thread_id,
			.looks = (uint32_t)row.looks,
			.state = (enum host_state)row.state,
		};
	}
	rows_close(&rows);
	vector_sort(&states, compare_states);
	states.count = keep_apart(states.items, states.count);
	loader->trace->is_looked_at = are_runs_seen(loader, states.items, states.count);
	vector_move(&states, loader->trace->host_states, loader->trace->host_state_count);
	read_threads(loader);
}
