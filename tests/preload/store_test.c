/* Operations and launch arguments through the store: as blocks (facts/operation_blocks.h,
 * facts/argument_blocks.h), and as rows made of them by the library and by `streamtrace unpack`. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/argument_position.h"
#include "base/atoms.h"
#include "cmocka_test.h"
#include "stack/modules.h"
#include "store/private.h"
#include "store/window_rows.h"

enum { MOST_ROWS = 20000 };

struct given {
	struct operations_row row;
	const char *name;
};

static struct given given[MOST_ROWS];
static char folder[] = "/tmp/preload_test.XXXXXX";
static char path[sizeof(folder) + 16];

static uint64_t random_bits(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

/* Up to most; each number of bits is as likely. */
static int64_t random_number(int64_t most)
{
	return (int64_t)((random_bits() >> random_bits() % 64) & (uint64_t)most);
}

static int64_t random_or_null(int64_t most)
{
	return random_bits() % 3 ? random_number(most) : ROW_NULL;
}

static const char *const names[] = {"_Z6vectorPfS_S_i", "sum", "", NULL};

static void random_kernel(struct given *operation, int64_t most)
{
	struct operations_row *row = &operation->row;

	operation->name = names[random_bits() % 4];
	row->grid_x = random_or_null(most & INT32_MAX);
	row->grid_y = row->grid_z = 1;
	row->block_x = random_number(most & 1023);
	row->block_y = row->block_z = 1;
	row->registers_per_thread = random_number(most & 255);
	row->static_shared_bytes = random_number(most & 65535);
	row->dynamic_shared_bytes = random_number(most & 65535);
	row->local_bytes_per_thread = random_or_null(most & INT32_MAX);
}

static void random_copy(struct given *operation, int64_t most)
{
	struct operations_row *row = &operation->row;

	row->copy_kind = random_or_null(most & 15);
	row->src_kind = random_or_null(most & 7);
	row->dst_kind = random_number(most & 7);
	row->is_async = random_number(1);
	row->size_bytes = random_or_null(INT64_MAX);
	row->src_device_id = random_or_null(most & 7);
	row->dst_device_id = random_or_null(most & 7);
}

/* All kinds; what many operations have in common is at most `most`, the rest any number. */
static void make_random(int count, int64_t most)
{
	for (int i = 0; i < count; i++) {
		struct operations_row row = operations_null();
		const bool is_timed = random_bits() % 8;

		row.kind = 1 + random_number(INT64_MAX) % 3;
		row.start_ns = is_timed ? random_number(INT64_MAX / 4) : ROW_NULL;
		row.end_ns = is_timed ? row.start_ns + random_number(INT64_MAX / 4) : ROW_NULL;
		row.device_id = random_number(most & 3);
		row.context_id = random_number(most & 3);
		row.stream_id = random_number(most & UINT32_MAX);
		row.correlation_id = random_number(UINT32_MAX);
		row.graph_node_id = random_or_null(INT64_MAX);
		row.channel_id = random_or_null(most & 7);
		row.channel_type = random_or_null(most & 3);
		given[i] = (struct given){.row = row};
		if (row.kind == OPERATION_KERNEL)
			random_kernel(&given[i], most);
		else
			random_copy(&given[i], most);
	}
}

/* There are no windows here. */
bool window_rows_include(uint64_t start_ns, uint64_t end_ns, uint32_t correlation_id)
{
	return true;
}

static bool never(void)
{
	return false;
}

static struct store *open_store(void)
{
	char error[256];
	struct store *store;

	unlink(path);
	store = store_open(path, sizeof(path), INT64_MAX, error, sizeof(error));
	if (!store)
		fail_msg("%s", error);
	return store;
}

static void store_given(struct store *store, int count)
{
	for (int i = 0; i < count; i++) {
		struct operations_row row = given[i].row;

		store_operation(store, &row, given[i].name);
		if (random_bits() % 5000 == 0)
			store_commit(store);
	}
}

static const struct {
	const char *table, *name;
	size_t offset;
} columns[] = {
#define COLUMN(table, name, type, null, written, values)                                           \
	{#table, #name, offsetof(struct table##_row, name)},
#include "facts/columns.def"
};

/* The names of the columns of operations behind its id, but of name_id its text. */
static void append_columns(char *sql, size_t size)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		const size_t used = strlen(sql);

		if (!strcmp(columns[i].table, "operations") && strcmp(columns[i].name, "id"))
			snprintf(sql + used, size - used, ", %s",
				 strcmp(columns[i].name, "name_id") ? columns[i].name : "s.text");
	}
}

static void check_value(sqlite3_stmt *statement, int column, int64_t expected)
{
	if (expected == ROW_NULL)
		assert_int_equal(sqlite3_column_type(statement, column), SQLITE_NULL);
	else
		assert_int_equal(sqlite3_column_int64(statement, column), expected);
}

static void check_row(sqlite3_stmt *statement, const struct given *expected)
{
	int column = 1;

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		if (strcmp(columns[i].table, "operations") || !strcmp(columns[i].name, "id"))
			continue;
		if (strcmp(columns[i].name, "name_id"))
			check_value(statement, column,
				    *(const int64_t *)((const char *)&expected->row +
						       columns[i].offset));
		else if (expected->name)
			assert_string_equal(sqlite3_column_text(statement, column), expected->name);
		else
			check_value(statement, column, ROW_NULL);
		column++;
	}
}

static sqlite3_stmt *select_rows(sqlite3 *database, const char *sql)
{
	sqlite3_stmt *statement;

	if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL))
		fail_msg("%s: %s", sql, sqlite3_errmsg(database));
	return statement;
}

static int64_t number(sqlite3 *database, const char *sql)
{
	sqlite3_stmt *statement = select_rows(database, sql);
	int64_t value;

	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	value = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return value;
}

static void check_rows(int count)
{
	char sql[1024] = "SELECT o.id";
	sqlite3_stmt *statement;
	sqlite3 *database;

	append_columns(sql, sizeof(sql));
	strcat(sql, " FROM operations o LEFT JOIN strings s ON s.id = name_id ORDER BY o.id");
	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	assert_int_equal(number(database, "SELECT count(*) FROM operation_blocks"), 0);
	assert_int_equal(number(database, "SELECT count(*) FROM losses"), 0);
	statement = select_rows(database, sql);
	for (int i = 0; i < count; i++) {
		assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
		check_value(statement, 0, i + 1);
		check_row(statement, &given[i]);
	}
	assert_int_equal(sqlite3_step(statement), SQLITE_DONE);
	sqlite3_finalize(statement);
	sqlite3_close(database);
}

static void unpack_file(void)
{
	char command[512];

	snprintf(command, sizeof(command), "%s unpack %s 2>%s/err", CLI_PATH, path, folder);
	assert_int_equal(system(command), 0);
}

/* What the store was given is in the file: the blocks made rows by itself, and by the analyzer. */
static void check_given(int count)
{
	struct store *store = open_store();

	store_given(store, count);
	store_unpack(store, count, never);
	store_close(store, "exit");
	check_rows(count);
	store = open_store();
	store_given(store, count);
	store_unpack(store, count - 1, never);
	store_close(store, "exit");
	unpack_file();
	check_rows(count);
}

TEST(test_few_shapes)
{
	make_random(MOST_ROWS, 1);
	check_given(MOST_ROWS);
}

TEST(test_more_shapes_than_a_block_has)
{
	make_random(MOST_ROWS, INT64_MAX);
	check_given(MOST_ROWS);
}

/* A training loop's: kernels that follow each other, and a copy now and then. */
static void make_loop(int count)
{
	int64_t time_ns = 1795333462469912568;

	for (int i = 0; i < count; i++, time_ns += 3000 + i % 100) {
		struct operations_row row = operations_null();

		row.kind = i % 10 ? OPERATION_KERNEL : OPERATION_COPY;
		row.start_ns = time_ns;
		row.end_ns = time_ns + 1500 + i % 700;
		row.device_id = row.channel_type = 0;
		row.context_id = 1;
		row.stream_id = 7;
		row.channel_id = i % 10 ? 8 : 9;
		row.correlation_id = 1000 + 3 * i;
		if (row.kind == OPERATION_KERNEL) {
			row.grid_x = 1 + i % 40;
			row.grid_y = row.grid_z = row.block_y = row.block_z = 1;
			row.block_x = 256;
			row.registers_per_thread = 32;
			row.static_shared_bytes = row.dynamic_shared_bytes = 0;
			row.local_bytes_per_thread = 0;
		} else {
			row.copy_kind = 1;
			row.src_kind = row.is_async = 1;
			row.dst_kind = 3;
			row.size_bytes = 4 << i % 3;
		}
		given[i] = (struct given){row, i % 10 ? names[i % 2] : NULL};
	}
}

/* Two bytes for each time, one for the shape, one for the correlation. */
TEST(test_a_loop_takes_few_bytes)
{
	struct store *store = open_store();
	sqlite3 *database;

	make_loop(MOST_ROWS);
	store_given(store, MOST_ROWS);
	store_close(store, "exit");
	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	assert_in_range(number(database, "SELECT sum(length(bytes)) FROM operation_blocks"), 1,
			7 * MOST_ROWS);
	assert_in_range(number(database, "SELECT count(*) FROM kernel_configurations"), 1, 80);
	sqlite3_close(database);
	check_given(MOST_ROWS);
}

/* More of them than are remembered. */
TEST(test_configurations_without_end)
{
	enum { COUNT = 140000 };
	struct store *store = open_store();
	struct operations_row row = operations_null();
	sqlite3 *database;

	row.kind = OPERATION_KERNEL;
	row.start_ns = row.end_ns = 1;
	row.device_id = row.context_id = row.stream_id = row.correlation_id = 1;
	for (int i = 0; i < COUNT; i++) {
		row.grid_x = i;
		store_operation(store, &row, NULL);
	}
	row.grid_x = 0;
	store_operation(store, &row, NULL);
	store_close(store, "exit");
	unpack_file();
	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	assert_int_equal(number(database, "SELECT count(*) FROM operations WHERE grid_x ="
					  " iif(id > 140000, 0, id - 1)"),
			 COUNT + 1);
	sqlite3_close(database);
}

enum { SETS = 3000, SET_MOST = 64 };

static struct atom *sets[SETS];

static void make_sets(void)
{
	for (int i = 0; i < SETS; i++) {
		const int count = 1 + (int)(random_bits() % SET_MOST);

		sets[i] = calloc(1, sizeof(**sets) + 2 * (size_t)count * sizeof(uint64_t));
		sets[i]->count = (uint16_t)(2 * count);
		for (int k = 0; k < count; k++) {
			sets[i]->words[2 * k] = argument_position(
				(uint32_t)random_number(UINT32_MAX),
				random_bits() % 3 ? 0 : random_number(UINT32_MAX));
			sets[i]->words[2 * k + 1] = random_bits() >> random_bits() % 64;
		}
	}
}

static void store_sets(void)
{
	struct store *store = open_store();

	for (int i = 0; i < SETS; i++) {
		/* The second time it is known. */
		assert_int_equal(store_arguments_id(store, sets[i]), i + 1);
		assert_int_equal(store_arguments_id(store, sets[i]), i + 1);
	}
	store_close(store, "exit");
}

static void check_sets(void)
{
	sqlite3_stmt *statement;
	sqlite3 *database;

	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	assert_int_equal(number(database, "SELECT count(*) FROM argument_blocks"), 0);
	statement = select_rows(database, "SELECT id, position, parameter, offset_bytes, address"
					  " FROM launch_arguments ORDER BY id, position");
	for (int i = 0; i < SETS; i++)
		for (int k = 0; k < sets[i]->count / 2; k++) {
			const uint64_t position = sets[i]->words[2 * k];

			assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
			check_value(statement, 0, i + 1);
			check_value(statement, 1, k);
			check_value(statement, 2, argument_position_parameter(position));
			check_value(statement, 3, argument_position_offset(position));
			check_value(statement, 4, (int64_t)sets[i]->words[2 * k + 1]);
		}
	assert_int_equal(sqlite3_step(statement), SQLITE_DONE);
	sqlite3_finalize(statement);
	sqlite3_close(database);
}

TEST(test_arguments)
{
	sqlite3 *database;

	make_sets();
	store_sets();
	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	assert_int_equal(number(database, "SELECT sum(sets) FROM argument_blocks"), SETS);
	assert_in_range(number(database, "SELECT count(*) FROM argument_blocks"), 2, SETS / 2);
	sqlite3_close(database);
	unpack_file();
	check_sets();
	for (int i = 0; i < SETS; i++)
		free(sets[i]);
}

/* As "CORRELATION:CALL" and "node NODE:CALL", in the order of the numbers. */
static void check_tied(const char *expected)
{
	sqlite3_stmt *statement;
	sqlite3 *database;

	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	statement = select_rows(
		database, "SELECT group_concat(text, ' ') FROM (SELECT correlation_id || ':' || "
			  "call_id AS text FROM correlations UNION ALL SELECT 'node ' || id || ':' "
			  "|| ifnull(call_id, '-') FROM graph_nodes ORDER BY 1)");
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	assert_string_equal(sqlite3_column_text(statement, 0), expected);
	sqlite3_finalize(statement);
	sqlite3_close(database);
}

/* What waits for the call of its thread with its serial, while other threads' calls come: threads 1 and 65 have a
 * bit in common. What waited for an older call has none any more. */
TEST(test_what_waits_for_its_call)
{
	const struct record records[] = {{.serial = 5, .correlation = 50},
					 {.serial = 5, .correlation = 51},
					 {.serial = 7, .correlation = 52}};
	const struct record nodes[] = {{.serial = 5, .object = 90},
				       {.serial = 4, .object = 91},
				       {.serial = 9, .object = 92}};
	struct store *store = open_store();

	store_correlation(store, &records[0], 1);
	store_correlation(store, &records[1], 2);
	store_correlation(store, &records[2], 65);
	store_graph_node(store, &nodes[0], 2);
	store_call_serial(store, 3, 5, 99);
	store_call_serial(store, 1, 5, 100);
	store_graph_node(store, &nodes[1], 2);
	store_call_serial(store, 2, 5, 101);
	store_call_serial(store, 2, 5, 102);
	store_call_serial(store, 65, 7, 103);
	store_correlation(store, &records[0], 1);
	store_graph_node(store, &nodes[2], 1);
	store_call_serial(store, 1, 6, 104);
	store_close(store, "exit");
	check_tied("50:100 51:101 52:103 node 90:101 node 91:- node 92:-");
}

/* The call at the end of a module never returns: behind it is another module, or none. */
TEST(test_a_call_at_the_end_of_its_module)
{
	struct atom *site = calloc(1, sizeof(*site) + sizeof(uint64_t));
	struct record read = {.kind = RECORD_CLOCK_READ, .start_ns = 1};
	struct store *store = open_store();
	const struct link_map *added = NULL;
	const struct module *module;
	uint64_t end, last;
	sqlite3 *database;

	module = modules_get(modules_number((uint64_t)(uintptr_t)open_store, &added));
	assert_non_null(module);
	assert_non_null(added);
	end = module->high;
	last = modules_number(end - 1, &added);
	site->count = site->frame_count = 1;
	site->words[0] = read.object = last << MODULE_ADDRESS_BITS | end;
	assert_int_equal(store_site_id(store, site), 1);
	assert_int_equal(store_site_id(store, site), 1);
	store_clock_read(store, &read, 1);
	store_close(store, "exit");
	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	assert_int_equal(number(database, "SELECT module_id FROM frames"), 1);
	assert_int_equal(number(database, "SELECT offset FROM frames"), end - module->load_address);
	assert_int_equal(number(database, "SELECT module_id FROM clock_reads"), 1);
	sqlite3_close(database);
	free(site);
}

static int begin(void **state)
{
	store_initialize();
	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof(path), "%s/trace.db", folder);
	return 0;
}

static int end(void **state)
{
	char name[sizeof(path)];

	unlink(path);
	snprintf(name, sizeof(name), "%s/err", folder);
	unlink(name);
	return rmdir(folder);
}

RUN_TESTS(begin, end)
