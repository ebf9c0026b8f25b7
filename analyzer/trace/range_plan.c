#include "trace/range_plan.h"

#include "trace/loader.h"

#include <limits.h>

#define RANGE_IDS	      65536
#define ROW_BYTES_LEAST	      8 /* that a row of any table takes in the file */
#define BLOCK_ROW_BYTES_LEAST 3 /* that a row takes in a block */

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

/* The least and the greatest id of the table and its blocks; INT64_MAX and -1 if there are none.
 * Returns the number of rows in blocks. */
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

/* A row takes some bytes in the file: ids that are further apart than the file has bytes do not
 * come from one counter. */
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

void range_plan_whole(struct row_ranges *ranges)
{
	ranges->is_split = false;
	ranges->items = memory_array(1, sizeof(*ranges->items));
	add_range(ranges, (struct row_range){0});
}

void range_plan_table(struct row_ranges *ranges)
{
	struct database *database = &ranges->loader->database;
	const char *table = rows_table_name(ranges->table);
	int64_t low, high;

	if (!has_ids(database, table))
		database_fail(database, "table %s has no ids", table);
	if (ranges->is_split && has_dense_ids(ranges, &low, &high))
		split_table(ranges, low, high);
	else
		range_plan_whole(ranges);
}
