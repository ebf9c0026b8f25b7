#include "edits.h"

#include "edit_values.h"

#include <err.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_EDITS  32
#define MOST_RAW    16
#define MOST_TABLES 64

struct table {
	char *name, *key; /* key: what tells its rows apart, as SQL */
	char **columns;
	int column_count, row_count;
};

/* A change of bytes, once all others are in. */
struct raw {
	uint32_t at, from;
	uint8_t byte;
	bool is_page;
};

struct pattern {
	sqlite3 *database;
	struct table tables[MOST_TABLES];
	int table_count;
	struct raw raw[MOST_RAW];
	int raw_count;
};

static void check(struct pattern *pattern, int status)
{
	if (status != SQLITE_OK)
		errx(1, "%s", sqlite3_errmsg(pattern->database));
}

/* NULL: SQLite refuses it, as it may once tables are gone. */
static sqlite3_stmt *prepare(struct pattern *pattern, const char *format, ...)
{
	sqlite3_stmt *statement = NULL;
	va_list values;
	char *sql;

	va_start(values, format);
	sql = sqlite3_vmprintf(format, values);
	va_end(values);
	(void)sqlite3_prepare_v2(pattern->database, sql, -1, &statement, NULL);
	sqlite3_free(sql);
	return statement;
}

/* Steps to its end; a row that breaks a constraint stays as it was. */
static void run(sqlite3_stmt *statement)
{
	while (sqlite3_step(statement) == SQLITE_ROW)
		;
	sqlite3_finalize(statement);
}

static int count_rows(struct pattern *pattern, const struct table *table)
{
	sqlite3_stmt *count = prepare(pattern, "SELECT count(*) FROM \"%w\"", table->name);
	int rows = sqlite3_step(count) == SQLITE_ROW ? sqlite3_column_int(count, 0) : 0;

	sqlite3_finalize(count);
	return rows;
}

/* A table without row ids has a primary key. */
static void describe(struct pattern *pattern, struct table *table, const char *name)
{
	sqlite3_stmt *columns =
		prepare(pattern, "SELECT name, pk FROM pragma_table_info(%Q)", name);
	sqlite3_stmt *ids = prepare(pattern, "SELECT rowid FROM \"%w\"", name);
	char *key = NULL;

	*table = (struct table){.name = strdup(name), .columns = calloc(256, sizeof(char *))};
	while (sqlite3_step(columns) == SQLITE_ROW && table->column_count < 256) {
		const char *column = (const char *)sqlite3_column_text(columns, 0);

		table->columns[table->column_count++] = strdup(column);
		if (sqlite3_column_int(columns, 1))
			key = sqlite3_mprintf("%z%s\"%w\"", key, key ? ", " : "", column);
	}
	table->key = ids ? strdup("rowid") : strdup(key ? key : "rowid");
	sqlite3_free(key);
	sqlite3_finalize(ids);
	sqlite3_finalize(columns);
	table->row_count = count_rows(pattern, table);
}

struct pattern *pattern_make(const void *bytes, size_t size)
{
	struct pattern *pattern = calloc(1, sizeof(*pattern));
	sqlite3_backup *backup;
	sqlite3_stmt *names;
	sqlite3 *file;

	if (!pattern || sqlite3_open(":memory:", &pattern->database) ||
	    sqlite3_open(":memory:", &file))
		errx(1, "no database in memory");
	check(pattern,
	      sqlite3_deserialize(file, "main", (unsigned char *)bytes, (sqlite3_int64)size,
				  (sqlite3_int64)size, SQLITE_DESERIALIZE_READONLY));
	backup = sqlite3_backup_init(pattern->database, "main", file, "main");
	if (!backup || sqlite3_backup_step(backup, -1) != SQLITE_DONE)
		errx(1, "cannot copy the database: %s", sqlite3_errmsg(pattern->database));
	sqlite3_backup_finish(backup);
	sqlite3_close(file);
	names = prepare(pattern,
			"SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
	while (sqlite3_step(names) == SQLITE_ROW && pattern->table_count < MOST_TABLES)
		describe(pattern, &pattern->tables[pattern->table_count++],
			 (const char *)sqlite3_column_text(names, 0));
	sqlite3_finalize(names);
	return pattern;
}

struct cell {
	const struct table *table;
	const char *column;
	int row;
};

static struct cell choose_cell(struct pattern *pattern, struct input *input)
{
	struct table *table = &pattern->tables[input_byte(input) % pattern->table_count];
	int column = input_byte(input), row = (int)input_number(input, 2);

	return (struct cell){table, table->columns[column % table->column_count],
			     table->row_count ? row % table->row_count : 0};
}

static void change_cell(struct pattern *pattern, struct input *input,
			void (*bind)(sqlite3_stmt *update, struct input *input, sqlite3_value *old))
{
	struct cell cell = choose_cell(pattern, input);
	const struct table *table = cell.table;
	sqlite3_stmt *select = prepare(pattern, "SELECT \"%w\" FROM \"%w\" LIMIT 1 OFFSET %d",
				       cell.column, table->name, cell.row);
	sqlite3_stmt *update =
		prepare(pattern,
			"UPDATE OR IGNORE \"%w\" SET \"%w\" = ?1 WHERE (%s) = "
			"(SELECT %s FROM \"%w\" LIMIT 1 OFFSET %d)",
			table->name, cell.column, table->key, table->key, table->name, cell.row);
	bool has_old = select && sqlite3_step(select) == SQLITE_ROW;

	if (update) {
		bind(update, input, has_old ? sqlite3_column_value(select, 0) : NULL);
		sqlite3_reset(select);
		run(update);
	}
	sqlite3_finalize(select);
}

/* The value of another row, or of another column. */
static void copy_cell(struct pattern *pattern, struct input *input)
{
	struct cell to = choose_cell(pattern, input), from = choose_cell(pattern, input);

	if (input_byte(input) % 2)
		from = (struct cell){to.table, to.column, from.row};
	run(prepare(pattern,
		    "UPDATE OR IGNORE \"%w\" SET \"%w\" = (SELECT \"%w\" FROM \"%w\" LIMIT 1 "
		    "OFFSET %d) WHERE (%s) = (SELECT %s FROM \"%w\" LIMIT 1 OFFSET %d)",
		    to.table->name, to.column, from.column, from.table->name, from.row,
		    to.table->key, to.table->key, to.table->name, to.row));
}

/* All rows of a column. */
static void change_column(struct pattern *pattern, struct input *input)
{
	struct cell cell = choose_cell(pattern, input);
	sqlite3_stmt *update = prepare(pattern, "UPDATE OR IGNORE \"%w\" SET \"%w\" = ?1",
				       cell.table->name, cell.column);

	if (update)
		edit_bind_value(update, input, NULL);
	run(update);
}

static void remove_row(struct pattern *pattern, struct input *input)
{
	struct cell cell = choose_cell(pattern, input);

	run(prepare(pattern,
		    "DELETE FROM \"%w\" WHERE (%s) = (SELECT %s FROM \"%w\" LIMIT 1 OFFSET %d)",
		    cell.table->name, cell.table->key, cell.table->key, cell.table->name,
		    cell.row));
}

/* Without keys and types: then anything can be in it, and twice. */
static void loosen(struct pattern *pattern, struct input *input)
{
	struct table *table = &pattern->tables[input_byte(input) % pattern->table_count];
	bool doubles = input_byte(input) % 2;

	run(prepare(pattern, "CREATE TABLE loose AS SELECT * FROM \"%w\"", table->name));
	run(prepare(pattern, "DROP TABLE \"%w\"", table->name));
	run(prepare(pattern, "ALTER TABLE loose RENAME TO \"%w\"", table->name));
	if (doubles)
		run(prepare(pattern, "INSERT INTO \"%w\" SELECT * FROM \"%w\"", table->name,
			    table->name));
}

static void drop(struct pattern *pattern, struct input *input)
{
	struct cell cell = choose_cell(pattern, input);

	if (input_byte(input) % 4)
		run(prepare(pattern, "ALTER TABLE \"%w\" DROP COLUMN \"%w\"", cell.table->name,
			    cell.column));
	else
		run(prepare(pattern, "DROP TABLE \"%w\"", cell.table->name));
}

static void add_raw(struct pattern *pattern, struct input *input, bool is_page)
{
	struct raw raw = {.is_page = is_page};

	raw.at = (uint32_t)input_number(input, 3);
	if (is_page)
		raw.from = (uint32_t)input_number(input, 2);
	else
		raw.byte = input_byte(input);
	if (pattern->raw_count < MOST_RAW)
		pattern->raw[pattern->raw_count++] = raw;
}

static void edit(struct pattern *pattern, struct input *input)
{
	uint8_t what = input_byte(input) % 16;

	if (what < 6)
		change_cell(pattern, input, edit_bind_value);
	else if (what < 9)
		change_cell(pattern, input, edit_bind_bytes);
	else if (what == 9)
		copy_cell(pattern, input);
	else if (what == 10)
		change_column(pattern, input);
	else if (what == 11)
		remove_row(pattern, input);
	else if (what == 12)
		loosen(pattern, input);
	else if (what == 13)
		drop(pattern, input);
	else
		add_raw(pattern, input, what == 15);
}

/* Pages become others, bytes too. */
static void change_bytes(const struct pattern *pattern, unsigned char *bytes, size_t size)
{
	size_t page_bytes = (size_t)bytes[16] << 8 | bytes[17], pages = size / page_bytes;

	for (int i = 0; i < pattern->raw_count; i++) {
		const struct raw *raw = &pattern->raw[i];

		if (!raw->is_page)
			bytes[raw->at % size] ^= raw->byte;
		else if (raw->at % pages != raw->from % pages)
			memcpy(bytes + raw->at % pages * page_bytes,
			       bytes + raw->from % pages * page_bytes, page_bytes);
	}
}

unsigned char *pattern_change(struct pattern *pattern, struct input input, size_t *size)
{
	sqlite3_int64 bytes = 0;
	unsigned char *serialized, *changed;

	pattern->raw_count = 0;
	check(pattern, sqlite3_exec(pattern->database, "BEGIN", NULL, NULL, NULL));
	for (int i = 0; i < MOST_EDITS && input.size; i++)
		edit(pattern, &input);
	serialized = sqlite3_serialize(pattern->database, "main", &bytes, 0);
	changed = malloc((size_t)bytes + 1);
	if (!serialized || !changed)
		errx(1, "out of memory");
	memcpy(changed, serialized, (size_t)bytes);
	sqlite3_free(serialized);
	check(pattern, sqlite3_exec(pattern->database, "ROLLBACK", NULL, NULL, NULL));
	*size = (size_t)bytes;
	change_bytes(pattern, changed, *size);
	return changed;
}
