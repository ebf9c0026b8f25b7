#include "facts/operation_blocks.h"
#include "store/file.h"
#include "store/private.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SQL_BYTES 2048

struct column {
	const char *name;
	uint16_t offset; /* of the member in the row's struct */
	enum column_type type;
	enum written written;
};

#define TABLE(table, since, holds) static const struct column table##_columns[] = {
#define COLUMN(table, name, type, null, written, values)                                           \
	{#name, offsetof(struct table##_row, name), COLUMN_##type, WRITTEN_##written},
#define END(table)                                                                                 \
	}                                                                                          \
	;
#include "facts/columns.def"

static const struct {
	const char *verb, *table, *conflict;
	const struct column *columns;
	size_t column_count;
	unsigned written;
} statements[STATEMENT_COUNT] = {
#define STATEMENT(name, verb, table, written, conflict)                                            \
	[STATEMENT_##name] = {verb,                                                                \
			      #table,                                                              \
			      conflict,                                                            \
			      table##_columns,                                                     \
			      sizeof(table##_columns) / sizeof(*table##_columns),                  \
			      written},
	STATEMENTS(STATEMENT)
#undef STATEMENT
};

/* Writes "INSERT INTO contexts (id, device_id) VALUES (?, ?)", and which members these are. False:
 * too long. */
static bool write_sql(char sql[SQL_BYTES], enum statement statement, struct insert *insert)
{
	char names[SQL_BYTES / 2] = "", values[4 * STATEMENT_COLUMNS_MOST] = "";
	size_t length = 0;

	for (size_t i = 0; i < statements[statement].column_count; i++) {
		const struct column *column = &statements[statement].columns[i];
		const char *separator = insert->count ? ", " : "";

		if (!(column->written & statements[statement].written))
			continue;
		if (insert->count == STATEMENT_COLUMNS_MOST)
			return false;
		length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%s",
					   separator, column->name);
		if (length >= sizeof(names))
			return false;
		strcat(strcat(values, separator), "?");
		insert->offsets[insert->count] = column->offset;
		insert->types[insert->count++] = column->type;
	}
	return snprintf(sql, SQL_BYTES, "%s INTO %s (%s) VALUES (%s)%s", statements[statement].verb,
			statements[statement].table, names, values,
			statements[statement].conflict) < SQL_BYTES;
}

static bool prepare_statement(struct store *store, const char *sql, sqlite3_stmt **prepared)
{
	return sqlite3_prepare_v3(store->database, sql, -1, SQLITE_PREPARE_PERSISTENT, prepared,
				  NULL) == SQLITE_OK;
}

#define NAME_COLUMN(column) #column ", "
#define FIND_CONFIGURATION                                                                         \
	"SELECT " OPERATION_BLOCK_CONFIGURATION(NAME_COLUMN) "id FROM kernel_configurations"       \
							     " WHERE id = ?"

bool store_prepare(struct store *store)
{
	char sql[SQL_BYTES];

	for (int i = 0; i < STATEMENT_COUNT; i++)
		if (!write_sql(sql, (enum statement)i, &store->inserts[i]) ||
		    !prepare_statement(store, sql, &store->inserts[i].prepared))
			return false;
	return prepare_statement(store, "BEGIN IMMEDIATE", &store->begin) &&
	       prepare_statement(store, "COMMIT", &store->commit) &&
	       prepare_statement(store,
				 "SELECT first_id, calls, bytes, thread_id FROM call_blocks"
				 " ORDER BY first_id LIMIT 1",
				 &store->call_blocks.oldest) &&
	       prepare_statement(store, "DELETE FROM call_blocks WHERE first_id = ?",
				 &store->call_blocks.remove) &&
	       prepare_statement(store,
				 "SELECT first_id, operations, bytes FROM operation_blocks"
				 " ORDER BY first_id LIMIT 1",
				 &store->operation_blocks.oldest) &&
	       prepare_statement(store, "DELETE FROM operation_blocks WHERE first_id = ?",
				 &store->operation_blocks.remove) &&
	       prepare_statement(store,
				 "SELECT first_id, sets, bytes FROM argument_blocks"
				 " ORDER BY first_id LIMIT 1",
				 &store->argument_blocks.oldest) &&
	       prepare_statement(store, "DELETE FROM argument_blocks WHERE first_id = ?",
				 &store->argument_blocks.remove) &&
	       prepare_statement(store, FIND_CONFIGURATION, &store->find_configuration);
}

void store_finalize(struct store *store)
{
	for (int i = 0; i < STATEMENT_COUNT; i++)
		sqlite3_finalize(store->inserts[i].prepared);
	sqlite3_finalize(store->begin);
	sqlite3_finalize(store->commit);
	sqlite3_finalize(store->call_blocks.oldest);
	sqlite3_finalize(store->call_blocks.remove);
	sqlite3_finalize(store->operation_blocks.oldest);
	sqlite3_finalize(store->operation_blocks.remove);
	sqlite3_finalize(store->argument_blocks.oldest);
	sqlite3_finalize(store->argument_blocks.remove);
	sqlite3_finalize(store->find_configuration);
}

/* Handles all SQLite errors: keeps the first, with its statement. A file that failed is not written
 * to again, except for losses: after a rollback, later rows would refer to names and call sites
 * that are gone. */
static void store_error(struct store *store, const char *sql)
{
	if (!store->error[0])
		snprintf(store->error, sizeof(store->error), "%s: %.80s",
			 sqlite3_errmsg(store->database), sql);
	if (sqlite3_errcode(store->database) != SQLITE_CONSTRAINT && !store->is_broken) {
		store->is_broken = true;
		store_file_give_room(false);
	}
	if (sqlite3_get_autocommit(store->database)) {
		store->failed_rows += store->open_rows;
		store->open_rows = 0;
	}
}

bool store_step(struct store *store, sqlite3_stmt *prepared)
{
	bool done;

	if ((store->is_broken || prepared == store->begin) && store_file_is_gone()) {
		store->is_broken = true;
		return false;
	}
	done = sqlite3_step(prepared) == SQLITE_DONE;
	if (!done)
		store_error(store, sqlite3_sql(prepared));
	sqlite3_reset(prepared);
	return done;
}

static void bind_text(sqlite3_stmt *prepared, int index, const char *text)
{
	if (text)
		sqlite3_bind_text(prepared, index, text, -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(prepared, index);
}

static void bind_bytes(sqlite3_stmt *prepared, int index, const struct row_bytes *bytes)
{
	if (bytes->start)
		sqlite3_bind_blob64(prepared, index, bytes->start, bytes->count, SQLITE_STATIC);
	else
		sqlite3_bind_null(prepared, index);
}

static void bind_integer(sqlite3_stmt *prepared, int index, int64_t value)
{
	if (value == ROW_NULL)
		sqlite3_bind_null(prepared, index);
	else
		sqlite3_bind_int64(prepared, index, value);
}

void store_bind(const struct insert *insert, const void *row)
{
	for (int i = 0; i < insert->count; i++) {
		const void *member = (const char *)row + insert->offsets[i];

		if (insert->types[i] == COLUMN_TEXT)
			bind_text(insert->prepared, i + 1, *(const char *const *)member);
		else if (insert->types[i] == COLUMN_BLOB)
			bind_bytes(insert->prepared, i + 1, member);
		else
			bind_integer(insert->prepared, i + 1, *(const int64_t *)member);
	}
}

void store_insert_counted(struct store *store, enum statement statement, const void *row,
			  uint64_t count)
{
	const struct insert *insert = &store->inserts[statement];

	store_bind(insert, row);
	if (store_step(store, insert->prepared))
		store->open_rows += count;
	else
		store->failed_rows += count;
}

void store_insert(struct store *store, enum statement statement, const void *row)
{
	if (store->is_broken)
		store->failed_rows++;
	else
		store_insert_counted(store, statement, row, 1);
}

void store_insert_block(struct store *store, enum statement statement, const void *row,
			uint64_t events)
{
	if (store->is_broken)
		store->failed_rows += events;
	else
		store_insert_counted(store, statement, row, events);
	store->has_blocks = true;
}

void store_lost(struct store *store, const char *why)
{
	if (!store->error[0])
		snprintf(store->error, sizeof(store->error), "%s", why);
	store->failed_rows++;
}
