#include "trace/loader.h"
#include "trace/time_order.h"

#include "base/parallel.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define RANGE_IDS	      65536
#define ROW_BYTES_LEAST	      8			  /* that a row of any table takes in the file */
#define BLOCK_ROW_BYTES_LEAST 3			  /* that a row takes in a block */
#define CONNECTION_BYTES      ((uint64_t)1 << 22) /* of the file, for each: less is read in a moment */

/* What threads read side by side, each on a connection of its own. */
struct reading {
	struct database *first, more[CONNECTIONS_MOST - 1];
	size_t connections;
	VECTOR(struct row_range *) ranges;
	atomic_size_t next;
};

/* Whether the table is in the order of its ids, as schema.sql makes it. */
static bool has_ids(struct database *database, const char *table)
{
	struct query query;
	bool has;

	query_open(&query, database, table,
		   "SELECT 1 FROM pragma_table_info(:table)"
		   " WHERE name = 'id' AND pk = 1 AND type = 'INTEGER'");
	query_bind_text(&query, ":table", table);
	has = query_next(&query);
	query_close(&query);
	return has;
}

/* The least and the greatest id of the table and of its blocks, INT64_MAX and -1 of nothing. Returns
 * how many rows are in blocks. */
static uint64_t find_ids(const struct row_ranges *ranges, int64_t *low, int64_t *high)
{
	struct database *database = &ranges->loader->database;
	const char *table = rows_table_name(ranges->table);
	char *least = memory_format("SELECT coalesce(min(id), %lld) FROM %s", LLONG_MAX, table);
	char *most = memory_format("SELECT coalesce(max(id), -1) FROM %s", table);
	struct block_ids blocks = {0};

	*low = database_number(database, table, least);
	*high = database_number(database, table, most);
	if (ranges->is_in_blocks)
		blocks = block_rows_ids(database, ranges->table);
	if (blocks.rows) {
		*low = *low < blocks.first_id ? *low : blocks.first_id;
		*high = *high > blocks.last_id ? *high : blocks.last_id;
	}
	free(least);
	free(most);
	return blocks.rows;
}

/* A row takes some bytes in the file: ids that are further apart do not come from one counter. */
static bool has_dense_ids(const struct row_ranges *ranges, int64_t *low, int64_t *high)
{
	const uint64_t bytes = database_bytes(&ranges->loader->database);
	const uint64_t in_blocks = find_ids(ranges, low, high);

	return *high >= *low && *high < INT64_MAX - RANGE_IDS &&
	       in_blocks <= bytes / BLOCK_ROW_BYTES_LEAST &&
	       (uint64_t)*high - (uint64_t)*low < bytes / ROW_BYTES_LEAST + in_blocks &&
	       (uint64_t)*high - (uint64_t)*low < UINT32_MAX;
}

static void add_range(struct row_ranges *ranges, struct row_range range)
{
	range.ranges = ranges;
	range.row_id = INT64_MIN;
	range.last_stream = UINT64_MAX;
	ranges->items[ranges->count++] = range;
}

/* From where the last range ends, or from low on, to before `end`. */
static void add_ids(struct row_ranges *ranges, int64_t low, int64_t end)
{
	const int64_t first = ranges->count ? ranges->items[ranges->count - 1].last_id + 1 : low;

	if (end > first)
		add_range(ranges, (struct row_range){
					  .first_id = first,
					  .last_id = end - 1,
					  .at = (size_t)(first - low),
					  .room = (size_t)(end - first),
				  });
}

/* So many ids each, but that no block is cut. */
static void add_ids_around_blocks(struct row_ranges *ranges, int64_t low, int64_t high,
				  int64_t most)
{
	struct database *database = &ranges->loader->database;
	int64_t first, end = low, at = low;
	struct query blocks;

	query_open(&blocks, database, rows_table_name(ranges->table),
		   block_rows_ids_sql(ranges->table));
	while (query_next(&blocks)) {
		first = query_integer(&blocks, 0, end, high);
		end = first + query_integer(&blocks, 1, 0, high - first + 1);
		if (database->error)
			break;
		for (; first - at >= most; at += most)
			add_ids(ranges, low, at + most);
		if (end - at >= most) {
			add_ids(ranges, low, end);
			at = end;
		}
	}
	query_close(&blocks);
	for (; at <= high; at += most)
		add_ids(ranges, low, high - at < most ? high + 1 : at + most);
}

static void split_table(struct row_ranges *ranges, int64_t low, int64_t high)
{
	const size_t span = (size_t)((uint64_t)high - (uint64_t)low) + 1;
	const size_t chosen = ranges->loader->options.range_ids;
	const size_t most = chosen ? chosen : RANGE_IDS;

	ranges->items = memory_array(span / most + 2, sizeof(*ranges->items));
	if (ranges->is_in_blocks)
		add_ids_around_blocks(ranges, low, high, (int64_t)most);
	else
		for (size_t at = 0; at < span; at += most)
			add_ids(ranges, low, low + (int64_t)(span - at < most ? span : at + most));
	for (struct row_array *array = ranges->arrays; array->items; array++)
		*array->items = memory_array(span, array->element_bytes);
}

/* One range. */
static void keep_whole(struct row_ranges *ranges)
{
	ranges->is_split = false;
	ranges->items = memory_array(1, sizeof(*ranges->items));
	add_range(ranges, (struct row_range){0});
}

static void plan_table(struct row_ranges *ranges)
{
	struct database *database = &ranges->loader->database;
	const char *table = rows_table_name(ranges->table);
	int64_t low, high;

	if (!has_ids(database, table))
		database_fail(database, "table %s has no ids", table);
	if (ranges->is_split && has_dense_ids(ranges, &low, &high))
		split_table(ranges, low, high);
	else
		keep_whole(ranges);
}

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

/* The rows in blocks that come before this id. */
static void take_blocks(struct row_range *range, int64_t id)
{
	union row_range_row kept;

	if (!range->blocks.has_stored)
		return;
	kept = range->row;
	while (block_rows_next(&range->blocks, id, &range->row)) {
		range->seen++;
		range->ranges->take(range);
	}
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

/* In a damaged file a row can be where no search for its id finds it. Of a table that is split. Where
 * none is missing, each was read once, for no range has ids of another one; and in their order, for
 * a search for a greater id never ends before one for a smaller. */
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

/* Those that cannot be split begin first: each may take as long as many parts of others. */
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

	/* Other connections do not have what was made of an export of Nsight Systems. */
	if (loader->options.is_strict || loader->database.is_nsys)
		return;
	open_connections(&reading, loader->options.connection_bytes);
	for (size_t i = 0; i < count; i++)
		plan_table(tables[i]);
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
		keep_whole(ranges);
		step_range(&ranges->items[0], ranges->loader);
		ranges->is_read = true;
	}
	count = close_gaps(ranges);
	if (ranges->places && !ranges->loader->database.error)
		time_order_table(ranges);
	return count;
}

void row_ranges_free(struct row_ranges *ranges)
{
	for (size_t i = 0; i < ranges->count; i++)
		vector_free(&ranges->items[i].unknown_streams);
	free(ranges->items);
	*ranges = (struct row_ranges){0};
}
