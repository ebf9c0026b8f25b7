#include "base/parallel.h"
#include "base/search.h"
#include "trace/loader.h"
#include "trace/range_plan.h"
#include "trace/time_order.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define CONNECTION_BYTES ((uint64_t)1 << 22) /* of the file, for each: less is read in a moment */

/* What threads read side by side, each on a connection of its own. */
struct reading {
	struct database *first, more[CONNECTIONS_MOST - 1];
	size_t connections;
	VECTOR(struct row_range *) ranges;
	atomic_size_t next;
};

/* The range of a table that is not split has no limit. */
size_t row_range_place(struct row_range *range)
{
	size_t capacity = range->room;

	if (range->count < range->room)
		return range->at + range->count++;
	if (range->ranges->is_split || range->count >= UINT32_MAX) {
		rows_fail(&range->rows, "there are too many rows");
		return MAP_NONE;
	}
	for (struct row_array *array = range->ranges->arrays; array->items; array++) {
		capacity = range->room;
		*array->items =
			memory_grow(*array->items, range->count, &capacity, array->element_bytes);
	}
	range->room = capacity;
	return range->count++;
}

void row_range_check_id(struct row_range *range, int64_t id)
{
	if (id <= range->row_id ||
	    (range->ranges->is_split && (id < range->first_id || id > range->last_id)))
		rows_fail(&range->rows, "id %lld is a duplicate or out of order", (long long)id);
	range->row_id = id;
}

/* Ids of one counter have no gaps, mostly. */
void row_range_keep_id(struct row_range *range, size_t at, int64_t id)
{
	const size_t index = at - range->at;

	if (!index)
		range->least_id = id;
	if (!range->ids.count && (uint64_t)id - (uint64_t)range->least_id == index)
		return;
	while (range->ids.count < index) {
		const int64_t before = range->least_id + (int64_t)range->ids.count;

		*vector_add(&range->ids) = before;
	}
	*vector_add(&range->ids) = id;
}

static int compare_ids(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static size_t find_in_range(const struct row_range *range, int64_t id)
{
	const uint64_t index = (uint64_t)id - (uint64_t)range->least_id;
	const int64_t *found;

	if (!range->ids.count)
		return index < range->count ? range->at + (size_t)index : MAP_NONE;
	found = bsearch(&id, range->ids.items, range->ids.count, sizeof(id), compare_ids);
	return found ? range->at + (size_t)(found - range->ids.items) : MAP_NONE;
}

size_t row_ranges_find(const struct row_ranges *ranges, int64_t id)
{
	size_t low = search_from(1, ranges->count, i, ranges->items[i].first_id <= id) - 1;

	return ranges->count ? find_in_range(&ranges->items[low], id) : MAP_NONE;
}

/* The rows in blocks that come before this id. */
static void take_blocks(struct row_range *range, int64_t id)
{
	union row_range_row kept;

	if (!range->blocks.has_stored)
		return;
	kept = range->row;
	while (block_rows_next(&range->blocks, id, &range->row)) {
		range->made = block_rows_made(&range->blocks, &range->is_same);
		range->seen++;
		range->ranges->take(range);
	}
	range->made = NULL;
	range->row = kept;
}

static void take_row(void *context)
{
	struct row_range *range = context;

	if (range->ranges->is_in_blocks && range->ranges->table == TABLE_calls)
		take_blocks(range, range->row.call.id);
	else if (range->ranges->is_in_blocks)
		take_blocks(range, range->row.operation.id);
	range->seen++;
	range->ranges->take(range);
}

static void open_blocks(struct row_range *range, struct database *database)
{
	const struct row_ranges *ranges = range->ranges;

	if (ranges->is_in_blocks)
		block_rows_open(&range->blocks, database, ranges->table,
				&ranges->loader->configurations,
				ranges->is_split ? range->first_id : INT64_MIN,
				ranges->is_split ? range->last_id : INT64_MAX);
}

static void close_blocks(struct row_range *range)
{
	if (!range->ranges->is_in_blocks)
		return;
	take_blocks(range, INT64_MAX);
	block_rows_close(&range->blocks);
}

static void scan_range(struct row_range *range, size_t connection, struct database *database,
		       struct time_order *order)
{
	char *condition = range->ranges->is_split ? memory_format("WHERE id BETWEEN %lld AND %lld",
								  (long long)range->first_id,
								  (long long)range->last_id)
						  : memory_format("%s", range->ranges->condition);

	range->duration_ns = &range->own_duration_ns;
	range->forms = range->ranges->forms ? &range->ranges->forms[connection] : NULL;
	open_blocks(range, database);
	rows_open_scan(&range->rows, database, range->ranges->table, condition);
	rows_scan(&range->rows, &range->row, take_row, range);
	close_blocks(range);
	rows_close(&range->rows);
	if (!database->error)
		time_order_range(order, range);
	free(condition);
}

static void step_range(struct row_range *range, struct trace_loader *loader)
{
	struct time_order order = {0};

	range->duration_ns = &loader->duration_ns;
	range->forms = range->ranges->forms;
	rows_open(&range->rows, &loader->database, range->ranges->table, range->ranges->condition);
	open_blocks(range, &loader->database);
	while (rows_next(&range->rows, &range->row))
		take_row(range);
	close_blocks(range);
	rows_close(&range->rows);
	if (!loader->database.error)
		time_order_range(&order, range);
	time_order_free(&order);
}

static void read_some(void *context, size_t connection)
{
	struct reading *reading = context;
	struct database *database = connection ? &reading->more[connection - 1] : reading->first;
	struct time_order order = {0};
	size_t index;

	while (!database->error &&
	       (index = atomic_fetch_add(&reading->next, 1)) < reading->ranges.count)
		scan_range(reading->ranges.items[index], connection, database, &order);
	time_order_free(&order);
}

/* One for each thread, or only the first. */
static void open_connections(struct reading *reading, uint64_t connection_bytes)
{
	uint64_t wanted = database_bytes(reading->first) /
				  (connection_bytes ? connection_bytes : CONNECTION_BYTES) +
			  1;

	wanted = wanted < parallel_workers() ? wanted : parallel_workers();
	wanted = wanted < CONNECTIONS_MOST ? wanted : CONNECTIONS_MOST;
	reading->connections = 1;
	if (wanted > 1 && database_open_more(reading->first, reading->more, (size_t)wanted - 1))
		reading->connections = (size_t)wanted;
}

static void close_connections(struct reading *reading)
{
	for (size_t i = 0; i + 1 < reading->connections; i++) {
		char *error = database_close(&reading->more[i]);

		if (error)
			database_fail(reading->first, "%s", error);
		free(error);
	}
}

static void add_durations(struct trace_loader *loader, const struct row_ranges *ranges)
{
	for (size_t i = 0; i < ranges->count; i++)
		if (__builtin_add_overflow(loader->duration_ns, ranges->items[i].own_duration_ns,
					   &loader->duration_ns))
			database_fail(&loader->database, "the sum of the durations overflows");
}

/* In a damaged file, searching for an id may miss its row. For split tables: if no row is missing,
 * each was read exactly once, since ranges do not share ids; and in order, since a search for a
 * greater id never ends before one for a smaller id. */
static void check_all_seen(const struct row_ranges *ranges)
{
	struct database *database = &ranges->loader->database;
	uint64_t left =
		rows_count(database, ranges->table) + block_rows_count(database, ranges->table);

	for (size_t i = 0; i < ranges->count; i++)
		left -= ranges->items[i].seen;
	if (left)
		database_fail(database, "table %s is out of order", rows_table_name(ranges->table));
}

/* Tables that cannot be split come first: each may take as long as many parts of others. */
static void collect_ranges(struct reading *reading, struct row_ranges *const *tables, size_t count)
{
	for (int is_split = 0; is_split < 2; is_split++)
		for (size_t i = 0; i < count; i++)
			for (size_t j = 0; tables[i]->is_split == is_split && j < tables[i]->count;
			     j++)
				*vector_add(&reading->ranges) = &tables[i]->items[j];
}

void row_ranges_read_ahead(struct trace_loader *loader, struct row_ranges *const *tables,
			   size_t count)
{
	struct reading reading = {.first = &loader->database};

	/* Other connections lack the temporary tables of an export of Nsight Systems. */
	if (loader->options.is_strict || loader->database.is_nsys)
		return;
	open_connections(&reading, loader->options.connection_bytes);
	for (size_t i = 0; i < count; i++)
		range_plan_table(tables[i]);
	collect_ranges(&reading, tables, count);
	parallel_run(reading.connections, read_some, &reading);
	close_connections(&reading);
	for (size_t i = 0; i < count; i++) {
		add_durations(loader, tables[i]);
		if (tables[i]->is_split)
			check_all_seen(tables[i]);
		tables[i]->is_read = true;
	}
	vector_free(&reading.ranges);
}

static size_t close_gaps(struct row_ranges *ranges)
{
	size_t at = 0;

	for (size_t i = 0; i < ranges->count; i++) {
		struct row_range *range = &ranges->items[i];

		for (struct row_array *array = ranges->arrays;
		     array->items && range->at != at && range->count; array++)
			memmove((char *)*array->items + at * array->element_bytes,
				(char *)*array->items + range->at * array->element_bytes,
				range->count * array->element_bytes);
		range->at = at;
		at += range->count;
	}
	return at;
}

size_t row_ranges_read(struct row_ranges *ranges)
{
	size_t count;

	if (!ranges->is_read) {
		range_plan_whole(ranges);
		step_range(&ranges->items[0], ranges->loader);
		ranges->is_read = true;
	}
	count = close_gaps(ranges);
	if (!ranges->loader->database.error)
		time_order_table(ranges);
	return count;
}

void row_ranges_free(struct row_ranges *ranges)
{
	for (size_t i = 0; i < ranges->count; i++) {
		vector_free(&ranges->items[i].unknown_streams);
		vector_free(&ranges->items[i].ids);
	}
	free(ranges->items);
	*ranges = (struct row_ranges){0};
}
