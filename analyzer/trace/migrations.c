#include "trace/loader.h"

/* Of managed_memory.kind and .flags (preload/schema.sql). */
enum { MOVED_TO_DEVICE = 1, FOR_A_FAULT = 2, AHEAD_OF_A_FAULT = 3 };

static int compare_migrations(const void *a, const void *b)
{
	const struct trace_migration *x = a, *y = b;

	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

void trace_read_migrations(struct trace_loader *loader)
{
	VECTOR(struct trace_migration) migrations = {0};
	struct managed_memory_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_managed_memory, "ORDER BY id");
	while (rows_next_managed_memory(&rows, &row))
		if (row.kind == MOVED_TO_DEVICE && row.value >= 0 &&
		    (row.flags == FOR_A_FAULT || row.flags == AHEAD_OF_A_FAULT))
			*vector_add(&migrations) = (struct trace_migration){
				.start_ns = row.start_ns, .bytes = (uint64_t)row.value};
	rows_close(&rows);
	vector_sort(&migrations, compare_migrations);
	vector_move(&migrations, loader->trace->migrations, loader->trace->migration_count);
}
