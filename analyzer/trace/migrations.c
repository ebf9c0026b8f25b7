#include "base/minmax.h"
#include "trace/loader.h"

/* Of managed_memory.kind and .flags (preload/schema.sql). */
enum { MOVED_TO_DEVICE = 1, MOVED_TO_HOST = 2, HOST_FAULT = 3, DEVICE_FAULTS = 4 };
enum { FOR_A_FAULT = 2, AHEAD_OF_A_FAULT = 3 };

/* A fault and what it moved lie closer together. */
#define MOST_FAULT_NS 1000000

typedef VECTOR(struct trace_migration) migration_vector;

static int compare_migrations(const void *a, const void *b)
{
	const struct trace_migration *x = a, *y = b;

	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

static bool is_for_fault(const struct managed_memory_row *row)
{
	return row->value >= 0 && (row->flags == FOR_A_FAULT || row->flags == AHEAD_OF_A_FAULT);
}

static uint32_t device_of(int64_t id)
{
	return id >= 0 && id < TRACE_NO_DEVICE ? (uint32_t)id : TRACE_NO_DEVICE;
}

/* Whether the row is one; fills in its kind, bytes and device. */
static bool read_kind(const struct managed_memory_row *row, struct trace_migration *migration)
{
	migration->bytes = (uint64_t)row->value;
	migration->device_id =
		device_of(row->kind == MOVED_TO_DEVICE ? row->dst_device_id : row->src_device_id);
	switch (row->kind) {
	case MOVED_TO_DEVICE:
		migration->kind = MIGRATION_TO_DEVICE;
		return is_for_fault(row);
	case MOVED_TO_HOST:
		migration->kind = MIGRATION_TO_HOST;
		return is_for_fault(row);
	case DEVICE_FAULTS:
		migration->kind = MIGRATION_FAULTS;
		migration->bytes = 0;
		return true;
	case HOST_FAULT:
		migration->kind = MIGRATION_HOST_FAULT;
		migration->bytes = 0;
		return true;
	default:
		return false;
	}
}

/* A migration caused by a page fault of the host begins with the fault: the host stalls from then
 * on. Such faults themselves are left out. */
static void begin_with_faults(migration_vector *migrations)
{
	struct trace_migration fault; /* with nothing moved so far */
	bool has_fault = false;
	size_t kept = 0;

	for (size_t i = 0; i < migrations->count; i++) {
		struct trace_migration migration = migrations->items[i];

		if (migration.kind == MIGRATION_HOST_FAULT) {
			if (has_fault)
				migrations->items[kept++] = fault;
			fault = migration;
			has_fault = true;
			continue;
		}
		if (migration.kind == MIGRATION_TO_HOST && has_fault) {
			has_fault = migration.start_ns - fault.start_ns >= MOST_FAULT_NS;
			if (has_fault)
				migrations->items[kept++] = fault;
			else
				migration.start_ns = fault.start_ns;
			has_fault = false;
		}
		migrations->items[kept++] = migration;
	}
	if (has_fault)
		migrations->items[kept++] = fault;
	migrations->count = kept;
}

void trace_read_migrations(struct trace_loader *loader)
{
	migration_vector migrations = {0};
	struct managed_memory_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_managed_memory, "ORDER BY id");
	while (rows_next_managed_memory(&rows, &row)) {
		struct trace_migration migration = {.start_ns = row.start_ns};

		if (!read_kind(&row, &migration))
			continue;
		migration.end_ns =
			row.end_ns == ROW_NULL ? row.start_ns : max_ns(row.start_ns, row.end_ns);
		*vector_add(&migrations) = migration;
	}
	rows_close(&rows);
	vector_sort(&migrations, compare_migrations);
	begin_with_faults(&migrations);
	vector_sort(&migrations, compare_migrations);
	vector_move(&migrations, loader->trace->migrations, loader->trace->migration_count);
}
