#include "base/parallel.h"
#include "base/search.h"
#include "trace/loader.h"
#include "trace/shard_plan.h"
#include "trace/time_order.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define CONNECTION_BYTES ((uint64_t)1 << 22) /* of the file, for each: less is read in a moment */

/* What threads read side by side, each on a connection of its own. */
struct reading {
	struct database *first, more[CONNECTIONS_MOST - 1];
	size_t connections;
	VECTOR(struct row_shard *) shards;
	atomic_size_t next;
};

/* The shard of a table that is not split has no limit. */
size_t row_shard_place(struct row_shard *shard)
{
	size_t capacity = shard->room;

	if (shard->count < shard->room)
		return shard->at + shard->count++;
	if (shard->shards->is_split || shard->count >= UINT32_MAX) {
		rows_fail(&shard->rows, "there are too many rows");
		return MAP_NONE;
	}
	for (struct row_array *array = shard->shards->arrays; array->items; array++) {
		capacity = shard->room;
		*array->items =
			memory_grow(*array->items, shard->count, &capacity, array->element_bytes);
	}
	shard->room = capacity;
	return shard->count++;
}

void row_shard_check_id(struct row_shard *shard, int64_t id)
{
	if (id <= shard->row_id ||
	    (shard->shards->is_split && (id < shard->first_id || id > shard->last_id)))
		rows_fail(&shard->rows, "id %lld is a duplicate or out of order", (long long)id);
	shard->row_id = id;
}

/* Ids of one counter have no gaps, mostly. */
void row_shard_keep_id(struct row_shard *shard, size_t at, int64_t id)
{
	const size_t index = at - shard->at;

	if (!index)
		shard->least_id = id;
	if (!shard->ids.count && (uint64_t)id - (uint64_t)shard->least_id == index)
		return;
	while (shard->ids.count < index) {
		const int64_t before = shard->least_id + (int64_t)shard->ids.count;

		*vector_add(&shard->ids) = before;
	}
	*vector_add(&shard->ids) = id;
}

static int compare_ids(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static size_t find_in_shard(const struct row_shard *shard, int64_t id)
{
	const uint64_t index = (uint64_t)id - (uint64_t)shard->least_id;
	const int64_t *found;

	if (!shard->ids.count)
		return index < shard->count ? shard->at + (size_t)index : MAP_NONE;
	found = bsearch(&id, shard->ids.items, shard->ids.count, sizeof(id), compare_ids);
	return found ? shard->at + (size_t)(found - shard->ids.items) : MAP_NONE;
}

size_t row_shards_find(const struct row_shards *shards, int64_t id)
{
	size_t low = search_from(1, shards->count, i, shards->items[i].first_id <= id) - 1;

	return shards->count ? find_in_shard(&shards->items[low], id) : MAP_NONE;
}

/* The rows in blocks that come before this id. */
static void take_blocks(struct row_shard *shard, int64_t id)
{
	union row_shard_row kept;

	if (!shard->blocks.has_stored)
		return;
	kept = shard->row;
	while (block_rows_next(&shard->blocks, id, &shard->row)) {
		shard->made = block_rows_made(&shard->blocks, &shard->is_same);
		shard->seen++;
		shard->shards->take(shard);
	}
	shard->made = NULL;
	shard->row = kept;
}

static void take_row(void *context)
{
	struct row_shard *shard = context;

	if (shard->shards->is_in_blocks && shard->shards->table == TABLE_calls)
		take_blocks(shard, shard->row.call.id);
	else if (shard->shards->is_in_blocks)
		take_blocks(shard, shard->row.operation.id);
	shard->seen++;
	shard->shards->take(shard);
}

static void open_blocks(struct row_shard *shard, struct database *database)
{
	const struct row_shards *shards = shard->shards;

	if (shards->is_in_blocks)
		block_rows_open(&shard->blocks, database, shards->table,
				&shards->loader->configurations,
				shards->is_split ? shard->first_id : INT64_MIN,
				shards->is_split ? shard->last_id : INT64_MAX);
}

static void close_blocks(struct row_shard *shard)
{
	if (!shard->shards->is_in_blocks)
		return;
	take_blocks(shard, INT64_MAX);
	block_rows_close(&shard->blocks);
}

static void scan_shard(struct row_shard *shard, size_t connection, struct database *database,
		       struct time_order *order)
{
	char *condition = shard->shards->is_split ? memory_format("WHERE id BETWEEN %lld AND %lld",
								  (long long)shard->first_id,
								  (long long)shard->last_id)
						  : memory_format("%s", shard->shards->condition);

	shard->duration_ns = &shard->own_duration_ns;
	shard->forms = shard->shards->forms ? &shard->shards->forms[connection] : NULL;
	open_blocks(shard, database);
	rows_open_scan(&shard->rows, database, shard->shards->table, condition);
	rows_scan(&shard->rows, &shard->row, take_row, shard);
	close_blocks(shard);
	rows_close(&shard->rows);
	if (!database->error)
		time_order_shard(order, shard);
	free(condition);
}

static void step_shard(struct row_shard *shard, struct trace_loader *loader)
{
	struct time_order order = {0};

	shard->duration_ns = &loader->duration_ns;
	shard->forms = shard->shards->forms;
	rows_open(&shard->rows, &loader->database, shard->shards->table, shard->shards->condition);
	open_blocks(shard, &loader->database);
	while (rows_next(&shard->rows, &shard->row))
		take_row(shard);
	close_blocks(shard);
	rows_close(&shard->rows);
	if (!loader->database.error)
		time_order_shard(&order, shard);
	time_order_free(&order);
}

static void read_some(void *context, size_t connection)
{
	struct reading *reading = context;
	struct database *database = connection ? &reading->more[connection - 1] : reading->first;
	struct time_order order = {0};
	size_t index;

	while (!database->error &&
	       (index = atomic_fetch_add(&reading->next, 1)) < reading->shards.count)
		scan_shard(reading->shards.items[index], connection, database, &order);
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

static void add_durations(struct trace_loader *loader, const struct row_shards *shards)
{
	for (size_t i = 0; i < shards->count; i++)
		if (__builtin_add_overflow(loader->duration_ns, shards->items[i].own_duration_ns,
					   &loader->duration_ns))
			database_fail(&loader->database, "the sum of the durations overflows");
}

/* In a damaged file, searching for an id may miss its row. For split tables: if no row is missing,
 * each was read exactly once, since shards do not share ids; and in order, since a search for a
 * greater id never ends before one for a smaller id. */
static void check_all_seen(const struct row_shards *shards)
{
	struct database *database = &shards->loader->database;
	uint64_t left =
		rows_count(database, shards->table) + block_rows_count(database, shards->table);

	for (size_t i = 0; i < shards->count; i++)
		left -= shards->items[i].seen;
	if (left)
		database_fail(database, "table %s is out of order", rows_table_name(shards->table));
}

/* Tables that cannot be split come first: each may take as long as many parts of others. */
static void collect_shards(struct reading *reading, struct row_shards *const *tables, size_t count)
{
	for (int is_split = 0; is_split < 2; is_split++)
		for (size_t i = 0; i < count; i++)
			for (size_t j = 0; tables[i]->is_split == is_split && j < tables[i]->count;
			     j++)
				*vector_add(&reading->shards) = &tables[i]->items[j];
}

void row_shards_read_ahead(struct trace_loader *loader, struct row_shards *const *tables,
			   size_t count)
{
	struct reading reading = {.first = &loader->database};

	/* Other connections lack the temporary tables of an export of Nsight Systems. */
	if (loader->options.is_strict || loader->database.is_nsys)
		return;
	open_connections(&reading, loader->options.connection_bytes);
	for (size_t i = 0; i < count; i++)
		shard_plan_table(tables[i]);
	collect_shards(&reading, tables, count);
	parallel_run(reading.connections, read_some, &reading);
	close_connections(&reading);
	for (size_t i = 0; i < count; i++) {
		add_durations(loader, tables[i]);
		if (tables[i]->is_split)
			check_all_seen(tables[i]);
		tables[i]->is_read = true;
	}
	vector_free(&reading.shards);
}

static size_t close_gaps(struct row_shards *shards)
{
	size_t at = 0;

	for (size_t i = 0; i < shards->count; i++) {
		struct row_shard *shard = &shards->items[i];

		for (struct row_array *array = shards->arrays;
		     array->items && shard->at != at && shard->count; array++)
			memmove((char *)*array->items + at * array->element_bytes,
				(char *)*array->items + shard->at * array->element_bytes,
				shard->count * array->element_bytes);
		shard->at = at;
		at += shard->count;
	}
	return at;
}

size_t row_shards_read(struct row_shards *shards)
{
	size_t count;

	if (!shards->is_read) {
		shard_plan_whole(shards);
		step_shard(&shards->items[0], shards->loader);
		shards->is_read = true;
	}
	count = close_gaps(shards);
	if (!shards->loader->database.error)
		time_order_table(shards);
	return count;
}

void row_shards_free(struct row_shards *shards)
{
	for (size_t i = 0; i < shards->count; i++) {
		vector_free(&shards->items[i].unknown_streams);
		vector_free(&shards->items[i].ids);
	}
	free(shards->items);
	*shards = (struct row_shards){0};
}
