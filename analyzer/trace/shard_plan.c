#include "trace/shard_plan.h"

#include "trace/loader.h"

#include <limits.h>

#define SHARD_IDS	      65536
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
static uint64_t find_ids(const struct row_shards *shards, int64_t *low, int64_t *high)
{
	struct database *database = &shards->loader->database;
	const char *table = rows_table_name(shards->table);
	char *least = memory_format("SELECT coalesce(min(id), %lld) FROM %s", LLONG_MAX, table);
	char *most = memory_format("SELECT coalesce(max(id), -1) FROM %s", table);
	struct block_ids blocks = {0};

	*low = database_number(database, table, least);
	*high = database_number(database, table, most);
	if (shards->is_in_blocks)
		blocks = block_rows_ids(database, shards->table);
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
static bool has_dense_ids(const struct row_shards *shards, int64_t *low, int64_t *high)
{
	const uint64_t bytes = database_bytes(&shards->loader->database);
	const uint64_t in_blocks = find_ids(shards, low, high);

	return *high >= *low && *high < INT64_MAX - SHARD_IDS &&
	       in_blocks <= bytes / BLOCK_ROW_BYTES_LEAST &&
	       (uint64_t)*high - (uint64_t)*low < bytes / ROW_BYTES_LEAST + in_blocks &&
	       (uint64_t)*high - (uint64_t)*low < UINT32_MAX;
}

static void add_shard(struct row_shards *shards, struct row_shard shard)
{
	shard.shards = shards;
	shard.row_id = INT64_MIN;
	shard.last_stream = UINT64_MAX;
	shards->items[shards->count++] = shard;
}

/* From where the last shard ends, or from low on, to before `end`. */
static void add_ids(struct row_shards *shards, int64_t low, int64_t end)
{
	const int64_t first = shards->count ? shards->items[shards->count - 1].last_id + 1 : low;

	if (end > first)
		add_shard(shards, (struct row_shard){
					  .first_id = first,
					  .last_id = end - 1,
					  .at = (size_t)(first - low),
					  .room = (size_t)(end - first),
				  });
}

/* So many ids each, but that no block is cut. */
static void add_ids_around_blocks(struct row_shards *shards, int64_t low, int64_t high,
				  int64_t most)
{
	struct database *database = &shards->loader->database;
	int64_t first, end = low, at = low;
	struct query blocks;

	query_open(&blocks, database, rows_table_name(shards->table),
		   block_rows_ids_sql(shards->table));
	while (query_next(&blocks)) {
		first = query_integer(&blocks, 0, end, high);
		end = first + query_integer(&blocks, 1, 0, high - first + 1);
		if (database->error)
			break;
		for (; first - at >= most; at += most)
			add_ids(shards, low, at + most);
		if (end - at >= most) {
			add_ids(shards, low, end);
			at = end;
		}
	}
	query_close(&blocks);
	for (; at <= high; at += most)
		add_ids(shards, low, high - at < most ? high + 1 : at + most);
}

static void split_table(struct row_shards *shards, int64_t low, int64_t high)
{
	const size_t span = (size_t)((uint64_t)high - (uint64_t)low) + 1;
	const size_t chosen = shards->loader->options.shard_ids;
	const size_t most = chosen ? chosen : SHARD_IDS;

	shards->items = memory_array(span / most + 2, sizeof(*shards->items));
	if (shards->is_in_blocks)
		add_ids_around_blocks(shards, low, high, (int64_t)most);
	else
		for (size_t at = 0; at < span; at += most)
			add_ids(shards, low, low + (int64_t)(span - at < most ? span : at + most));
	/* What reads them touches them first, on all processors. */
	for (struct row_array *array = shards->arrays; array->items; array++) {
		size_t capacity = 0;

		*array->items = memory_reserve(NULL, span, &capacity, array->element_bytes);
	}
}

void shard_plan_whole(struct row_shards *shards)
{
	shards->is_split = false;
	shards->items = memory_array(1, sizeof(*shards->items));
	add_shard(shards, (struct row_shard){0});
}

void shard_plan_table(struct row_shards *shards)
{
	struct database *database = &shards->loader->database;
	const char *table = rows_table_name(shards->table);
	int64_t low, high;

	if (!has_ids(database, table))
		database_fail(database, "table %s has no ids", table);
	if (shards->is_split && has_dense_ids(shards, &low, &high))
		split_table(shards, low, high);
	else
		shard_plan_whole(shards);
}
