/* Time that the tracer took of the program's threads outside of what each call costs. */
#include "trace/loader.h"

/* As the times of other tables (rows.c). */
#define TIME_LIMIT_NS (INT64_MAX / 2)

/* What would have been there without a tracer is not counted: compilers and loaders. */
static bool is_of_tracer(int64_t kind)
{
	switch (kind) {
	case OVERHEAD_BUFFER_FLUSH:
	case OVERHEAD_INSTRUMENTATION:
	case OVERHEAD_RESOURCE:
	case OVERHEAD_BUFFER_REQUEST:
	case OVERHEAD_MANAGED_MEMORY:
	case OVERHEAD_FIRST_USE:
		return true;
	default:
		return false;
	}
}

/* Rows that make no sense are left out: nothing depends on them. */
static bool is_sound(const struct overheads_row *row)
{
	return row->thread_id >= 0 && row->thread_id <= UINT32_MAX && row->start_ns >= 0 &&
	       row->start_ns < row->end_ns && row->end_ns <= TIME_LIMIT_NS;
}

void trace_read_overheads(struct trace_loader *loader)
{
	VECTOR(struct trace_overhead) overheads = {0};
	struct map last = {0}; /* of a thread */
	struct overheads_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_overheads, "ORDER BY start_ns, id");
	while (rows_next_overheads(&rows, &row)) {
		struct trace_overhead overhead = {row.start_ns, row.end_ns,
						  (uint32_t)row.thread_id};
		size_t before;

		if (!is_of_tracer(row.kind) || !is_sound(&row))
			continue;
		/* One can lie in another. */
		before = map_find(&last, overhead.thread_id);
		if (before != MAP_NONE && overheads.items[before].end_ns > overhead.start_ns)
			overhead.start_ns = overheads.items[before].end_ns;
		if (overhead.start_ns >= overhead.end_ns)
			continue;
		map_set(&last, overhead.thread_id, overheads.count);
		*vector_add(&overheads) = overhead;
	}
	rows_close(&rows);
	map_free(&last);
	vector_move(&overheads, loader->trace->overheads, loader->trace->overhead_count);
}
