#include "base/format.h"
#include "base/memory.h"
#include "commands/command.h"
#include "commands/operands.h"
#include "findings/not_seen.h"
#include "render/table.h"
#include "trace/collectives.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
static bool print_metadata(const struct trace *trace)
{
	static const char *const durations[] = {"host_cpu_ns", "host_look_ns", "tool_cpu_ns", "tool_flush_ns"};
	struct table table = open_table("METADATA", "VALUE", NULL);
	struct format format;
	size_t i, k;

	for (i = 0; i < trace->metadata_count; i++) {
		const char *key = trace->metadata[i].key, *value = trace->metadata[i].value;

		for (k = 0; k < sizeof(durations) / sizeof(*durations); k++)
			if (strcmp(key, durations[k]) == 0)
				value = format_time(&format, strtoll(value, NULL, 10));
		add_row(&table, key, value, NULL);
	}
	return close_table(&table);
}

/* Rows of each table; *events: how many of them are events. */
static bool print_rows(const struct trace *trace, uint64_t *events)
{
	struct table table = open_table("TABLE", "ROWS", "");
	struct format format;

	*events = 0;
	for (size_t i = 0; i < trace->table_count; i++) {
		const struct trace_table *counted = &trace->tables[i];

		*events += counted->holds_events ? counted->rows : 0;
		add_row(&table, counted->name, format_count(&format, counted->rows), NULL);
	}
	return close_table(&table);
}

static bool print_matched(const struct trace *trace)
{
	static const char *const names[OPERATION_KIND_COUNT] = {
#define OPERATION_KIND(symbol, number, word) [OPERATION_##symbol] = (word),
#include "facts/operation_kinds.def"
#undef OPERATION_KIND
	};
	struct table table = open_table("OPERATION", "TOTAL", "WITH CALL");
	size_t total[OPERATION_KIND_COUNT] = {0}, matched[OPERATION_KIND_COUNT] = {0}, i;
	struct format a, b;

	for (i = 0; i < trace->operation_count; i++) {
		total[trace->operations[i].form->kind]++;
		matched[trace->operations[i].form->kind] += trace->operations[i].call != NULL;
	}
	for (i = OPERATION_KERNEL; i < OPERATION_KIND_COUNT; i++)
		add_row(&table, names[i], format_count(&a, total[i]), format_count(&b, matched[i]));
	if (trace->untimed_operations)
		add_row(&table, "untimed", format_count(&a, trace->untimed_operations), "-");
	return close_table(&table);
}

/* "0123456789abcdef, rank 1 of 2"; to be freed. */
static char *communicator_name(const struct trace_communicator *communicator)
{
	const char *id = communicator->unique_id ? communicator->unique_id : "unknown";

	if (communicator->rank < 0 || communicator->ranks < 0)
		return memory_format("%s", id);
	return memory_format("%s, rank %d of %d", id, communicator->rank, communicator->ranks);
}

/* The last row is of collectives whose communicator is not known. */
static bool print_communicators(const struct trace *trace)
{
	const size_t count = trace->communicator_count;
	size_t *totals = memory_array(2 * (count + 1), sizeof(*totals));
	size_t *matched = totals + count + 1;
	struct format a, b;
	struct table table;

	for (size_t i = 0; i < trace->collective_count; i++) {
		const struct trace_collective *collective = &trace->collectives[i];
		const size_t row = collective->communicator == NO_COMMUNICATOR
					   ? count
					   : collective->communicator;

		totals[row]++;
		matched[row] += collective->kernel != NO_KERNEL;
	}
	table = open_table("COMMUNICATOR", "COLLECTIVES", "WITH KERNEL");
	for (size_t i = 0; i <= count; i++) {
		char *name = i < count ? communicator_name(&trace->communicators[i])
				       : memory_format("not known");

		if (i < count || totals[i])
			add_row(&table, name, format_count(&a, totals[i]),
				format_count(&b, matched[i]));
		free(name);
	}
	free(totals);
	return close_table(&table);
}

static bool print_losses(const struct trace *trace)
{
	struct table table;
	char count[24];
	size_t i;

	if (!trace->loss_count) {
		puts("Nothing was lost.\n");
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

static void print_size(const char *path, uint64_t events)
{
	struct format size, per_event, count;

	printf("file size %s", format_bytes(&size, file_bytes(path)));
	if (events)
		printf(": %s per event, %s events",
		       format_bytes(&per_event, file_bytes(path) / events),
		       format_count(&count, events));
	puts("");
}

/* What was made of it. */
static bool print_trace(const struct trace *trace)
{
	char *failure;

	if (!print_matched(trace))
		return false;
	if ((trace->communicator_count || trace->collective_count) && !print_communicators(trace))
		return false;
	if (!print_losses(trace))
		return false;
	failure = not_seen_failure(trace);
	if (failure)
		printf("No GPU operations: %s.\n", failure);
	free(failure);
	if (trace->unread)
		printf("Not read: %s.\n", trace->unread);
	return true;
}

/* The exit status. */
static int print_info(const char *path)
{
	char *error = NULL;
	struct trace *trace = trace_load_counted(path, &error);
	uint64_t events;
	bool ok = false;

	if (trace) {
		printf("%s: trace format %lld.%lld\n\n", trace->path,
		       (long long)(trace->schema_version / 1000),
		       (long long)(trace->schema_version % 1000));
		ok = print_metadata(trace) && print_rows(trace, &events) && print_trace(trace);
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
	struct operands traces;
	int status = EXIT_FINE;

	if (!operands_expand(&traces, arguments->operands, (size_t)arguments->operand_count))
		status = EXIT_UNREADABLE;
	for (size_t i = 0; i < traces.count; i++) {
		if (i)
			putchar('\n');
		if (print_info(traces.paths[i]) != EXIT_FINE)
			status = EXIT_UNREADABLE;
	}
	operands_free(&traces);
	return status;
}

const struct command command_info = {
	.name = "info",
	.summary = "show what is in a trace",
	.operands = "TRACE|FOLDER...",
	.needs = "a trace",
	.description = "Shows what is in a trace: its metadata, its rows, what was lost, and its "
		       "size. A folder stands for the traces of its newest run.",
	.example = "streamtrace info app.db",
	.main = info_main,
};
