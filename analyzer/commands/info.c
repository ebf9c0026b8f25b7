#include "commands/command.h"

#include "base/format.h"
#include "base/memory.h"
#include "findings/not_seen.h"
#include "render/table.h"
#include "trace/database.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Rows of these are events: what a byte of the file is spent on. */
static const struct {
	const char *name, *count_sql;
	bool is_event;
	int since; /* trace format that brought it */
} tables[] = {
#define ROWS(name, is_event) ROWS_SINCE(1000, name, is_event)
#define ROWS_SINCE(since, name, is_event)                                                          \
	{                                                                                          \
#name, "SELECT count(*) FROM " #name, is_event, since                              \
	}
	ROWS(calls, true),
	ROWS(operations, true),
	ROWS(correlations, false),
	ROWS(event_records, true),
	ROWS(synchronizations, true),
	ROWS(allocations, true),
	ROWS_SINCE(1001, graph_nodes, true),
	ROWS_SINCE(1001, host_functions, true),
	ROWS_SINCE(1001, managed_memory, true),
	ROWS_SINCE(1001, memory_pools, true),
	ROWS_SINCE(1002, first_uses, true),
	ROWS(overheads, true),
	ROWS(losses, false),
	ROWS_SINCE(1001, windows, false),
	ROWS(call_sites, false),
	ROWS(frames, false),
	ROWS_SINCE(1001, python_frames, false),
	ROWS(functions, false),
	ROWS(strings, false),
	ROWS(modules, false),
	ROWS(threads, false),
	ROWS(streams, false),
	ROWS(contexts, false),
	ROWS(devices, false),
	ROWS(clock_samples, false),
#undef ROWS_SINCE
#undef ROWS
};

/* third: NULL where the table has two columns. */
static struct table open_table(const char *first, const char *second, const char *third)
{
	struct table table = table_open(stdout, 0);

	table_add_column(&table, first, false);
	table_add_column(&table, second, third != NULL);
	if (third)
		table_add_column(&table, third, true);
	return table;
}

static void add_row(struct table *table, const char *first, const char *second, const char *third)
{
	const char *const cells[] = {first, second, third ? third : ""};

	table_add_row(table, cells);
}

static bool close_table(struct table *table)
{
	bool ok = table_print(table);

	putchar('\n');
	return ok;
}

/* Times that the metadata counts in ns read better as seconds. */
static bool print_metadata(struct database *database)
{
	static const char *const durations[] = {"tool_cpu_ns", "tool_flush_ns"};
	struct table table = open_table("METADATA", "VALUE", NULL);
	struct arena arena = {0};
	struct format format;
	struct query query;
	size_t i;

	query_open(&query, database, "metadata", "SELECT key, value FROM metadata ORDER BY key");
	while (query_next(&query)) {
		const char *key = query_text(&query, 0), *value = query_text(&query, 1);

		for (i = 0; i < sizeof(durations) / sizeof(*durations); i++)
			if (strcmp(key, durations[i]) == 0)
				value = format_time(&format, strtoll(value, NULL, 10));
		add_row(&table, arena_text(&arena, key), arena_text(&arena, value), NULL);
	}
	query_close(&query);
	arena_free(&arena);
	return close_table(&table);
}

/* Rows of each table; *events: how many of them are events. */
static bool print_rows(struct database *database, uint64_t *events)
{
	struct table table = open_table("TABLE", "ROWS", "");
	struct format format;
	struct query query;
	uint64_t rows;
	size_t i;

	*events = 0;
	for (i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		if (database->schema_version < tables[i].since)
			continue;
		query_open(&query, database, tables[i].name, tables[i].count_sql);
		rows = query_next(&query) ? (uint64_t)query_integer(&query, 0, 0, INT64_MAX) : 0;
		query_close(&query);
		*events += tables[i].is_event ? rows : 0;
		add_row(&table, tables[i].name, format_count(&format, rows), NULL);
	}
	return close_table(&table);
}

static bool print_matched(const struct trace *trace)
{
	static const char *const names[] = {NULL, "kernel", "copy", "set"};
	struct table table = open_table("OPERATION", "TOTAL", "WITH CALL");
	size_t total[4] = {0}, matched[4] = {0}, i;
	struct format a, b;

	for (i = 0; i < trace->operation_count; i++) {
		total[trace->operations[i].kind]++;
		matched[trace->operations[i].kind] += trace->operations[i].call != NULL;
	}
	for (i = OPERATION_KERNEL; i <= OPERATION_SET; i++)
		add_row(&table, names[i], format_count(&a, total[i]), format_count(&b, matched[i]));
	if (trace->untimed_operations)
		add_row(&table, "untimed", format_count(&a, trace->untimed_operations), "-");
	return close_table(&table);
}

static bool print_losses(const struct trace *trace)
{
	struct table table;
	char count[24];
	size_t i;

	if (!trace->loss_count) {
		puts("No losses were recorded.\n");
		return true;
	}
	table = open_table("LOSS", "COUNT", "DETAIL");
	for (i = 0; i < trace->loss_count; i++) {
		const struct trace_loss *loss = &trace->losses[i];

		snprintf(count, sizeof(count), "%lld", (long long)loss->count);
		add_row(&table, loss->kind, count, loss->detail ? loss->detail : "-");
	}
	return close_table(&table);
}

/* The file and the log beside it. */
static uint64_t file_bytes(const char *path)
{
	char *log = memory_format("%s-wal", path);
	struct stat status;
	uint64_t bytes = 0;

	if (stat(path, &status) == 0)
		bytes += (uint64_t)status.st_size;
	if (stat(log, &status) == 0)
		bytes += (uint64_t)status.st_size;
	free(log);
	return bytes;
}

/* What the file says of itself. False: *error says why, or NULL for no memory. */
static bool print_tables(const char *path, uint64_t *events, char **error)
{
	struct database database;
	bool ok;

	database_open(&database, path);
	ok = print_metadata(&database) && print_rows(&database, events);
	*error = database.error;
	database.error = NULL;
	database_close(&database);
	return ok && !*error;
}

static void print_size(const char *path, uint64_t events)
{
	struct format size, per_event, count;

	printf("%s in the file", format_bytes(&size, file_bytes(path)));
	if (events)
		printf(", %s an event (%s events)",
		       format_bytes(&per_event, file_bytes(path) / events),
		       format_count(&count, events));
	puts("");
}

/* What was made of it. */
static bool print_trace(const struct trace *trace)
{
	char *failure;

	if (!print_matched(trace) || !print_losses(trace))
		return false;
	failure = not_seen_failure(trace);
	if (failure)
		printf("No device operations: %s.\n", failure);
	free(failure);
	if (trace->unread)
		printf("Not read: %s.\n", trace->unread);
	return true;
}

/* The exit status. */
static int print_info(const char *path)
{
	char *error = NULL;
	struct trace *trace = trace_load(path, &error);
	uint64_t events;
	bool ok = false;

	if (trace) {
		printf("%s: trace format %lld.%lld\n\n", path,
		       (long long)(trace->schema_version / 1000),
		       (long long)(trace->schema_version % 1000));
		ok = print_tables(path, &events, &error) && print_trace(trace);
		if (ok)
			print_size(path, events);
		trace_close(trace);
	}
	if (!ok)
		command_fail(EXIT_UNREADABLE, "%s: %s", path, error ? error : "out of memory");
	free(error);
	return ok ? EXIT_FINE : EXIT_UNREADABLE;
}

static int info_main(const struct arguments *arguments)
{
	int status = EXIT_FINE;

	for (int i = 0; i < arguments->operand_count; i++) {
		if (i)
			putchar('\n');
		if (print_info(arguments->operands[i]) != EXIT_FINE)
			status = EXIT_UNREADABLE;
	}
	return status;
}

const struct command command_info = {
	.name = "info",
	.summary = "show what is in a trace",
	.operands = "TRACE...",
	.needs = "a trace",
	.description =
		"Shows what is in a trace: where it comes from, its rows, its losses and its "
		"size.",
	.example = "streamtrace info app.db",
	.main = info_main,
};
