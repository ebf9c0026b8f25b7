/* The watches of copies' host memory (copy_watches), joined with operations and sites. */
#include "trace/loader.h"

#include <stdlib.h>

/* False where the trace lacks the copy. */
static bool take_copy_watch(const struct trace_loader *loader, const struct copy_watches_row *row,
			    struct trace_copy_watch *watch)
{
	const struct trace *trace = loader->trace;
	const size_t call = trace_find_correlated(loader, row->correlation_id);
	const size_t site = row->site_id == ROW_NULL
				    ? MAP_NONE
				    : map_find(&loader->site_map, (uint64_t)row->site_id);

	if (call == MAP_NONE || !trace->calls[call].operation)
		return false;
	*watch = (struct trace_copy_watch){
		.copy = trace->calls[call].operation,
		.site = site == MAP_NONE ? NULL : &trace->sites[site],
		.end_ns = row->end_ns,
		.address = (uint64_t)row->address,
		.touch_address = row_bits(row->touch_address),
		.watched_bytes = (uint64_t)row->watched_bytes,
		.thread_id = (uint32_t)row->thread_id,
		.kind = (enum first_use_kind)row->kind,
		.is_source = row->is_source != 0,
	};
	return true;
}

void trace_read_copy_watches(struct trace_loader *loader)
{
	VECTOR(struct trace_copy_watch) watches = {0};
	struct trace_copy_watch watch;
	struct copy_watches_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_copy_watches, "ORDER BY id");
	while (rows_next_copy_watches(&rows, &row))
		if (take_copy_watch(loader, &row, &watch))
			*vector_add(&watches) = watch;
	rows_close(&rows);
	vector_move(&watches, loader->trace->copy_watches, loader->trace->copy_watch_count);
}
