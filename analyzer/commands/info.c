#include "commands/command.h"
#include "base/format.h"
#include "base/memory.h"
#include "findings/not_seen.h"
#include "trace/trace.h"

#include <getopt.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] =
	"Usage: streamtrace info TRACE...\n"
	"Says what is in a trace: where it comes from, its rows, its losses and\n"
	"its size.\n"
	"\n"
	"Options:\n"
	"  -h, --help  show this help\n";

static void print_table(struct libscols_table *table)
{
	scols_print_table(table);
	scols_unref_table(table);
	putchar('\n');
}

static struct libscols_table *open_table(const char *first, const char *second, const char *third)
{
	struct libscols_table *table = scols_new_table();

	if (!table) {
		fputs("streamtrace: out of memory\n", stderr);
		exit(EXIT_UNREADABLE);
	}
	scols_table_new_column(table, first, 0, 0);
	scols_table_new_column(table, second, 0, third ? SCOLS_FL_RIGHT : 0);
	if (third)
		scols_table_new_column(table, third, 0, SCOLS_FL_RIGHT);
	return table;
}

static void add_line(struct libscols_table *table, const char *first, const char *second,
		     const char *third)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);

	scols_line_set_data(line, 0, first);
	scols_line_set_data(line, 1, second);
	if (third)
		scols_line_set_data(line, 2, third);
}

/* Times that the metadata counts in ns read better as seconds. */
static void print_metadata(const struct trace *trace)
{
	static const char *const durations[] = {"tool_cpu_ns", "tool_flush_ns"};
	struct libscols_table *table = open_table("METADATA", "VALUE", NULL);
	struct format format;
	size_t i, k;

	for (i = 0; i < trace->metadata_count; i++) {
		const char *key = trace->metadata[i].key, *value = trace->metadata[i].value;

		for (k = 0; k < sizeof(durations) / sizeof(*durations); k++)
			if (strcmp(key, durations[k]) == 0)
				value = format_time(&format, strtoll(value, NULL, 10));
		add_line(table, key, value, NULL);
	}
	print_table(table);
}

/* Rows of each table; returns how many of them are events. */
static uint64_t print_rows(const struct trace *trace)
{
	struct libscols_table *table = open_table("TABLE", "ROWS", "");
	struct format format;
	uint64_t events = 0;
	size_t i;

	for (i = 0; i < trace->table_count; i++) {
		const struct trace_table *row = &trace->tables[i];

		events += row->holds_events ? row->rows : 0;
		add_line(table, row->name, format_count(&format, row->rows), NULL);
	}
	print_table(table);
	return events;
}

static void print_matched(const struct trace *trace)
{
	static const char *const names[OPERATION_KIND_COUNT] = {
#define OPERATION_KIND(symbol, number, word) [OPERATION_##symbol] = (word),
#include "facts/operation_kinds.def"
#undef OPERATION_KIND
	};
	struct libscols_table *table = open_table("OPERATION", "TOTAL", "WITH CALL");
	size_t total[OPERATION_KIND_COUNT] = {0}, matched[OPERATION_KIND_COUNT] = {0}, i;
	struct format a, b;

	for (i = 0; i < trace->operation_count; i++) {
		total[trace->operations[i].kind]++;
		matched[trace->operations[i].kind] += trace->operations[i].call != NULL;
	}
	for (i = OPERATION_KERNEL; i < OPERATION_KIND_COUNT; i++)
		add_line(table, names[i], format_count(&a, total[i]), format_count(&b, matched[i]));
	if (trace->untimed_operations)
		add_line(table, "untimed", format_count(&a, trace->untimed_operations), "-");
	print_table(table);
}

static void print_losses(const struct trace *trace)
{
	struct libscols_table *table = open_table("LOSS", "COUNT", "DETAIL");
	char count[24];
	size_t i;

	for (i = 0; i < trace->loss_count; i++) {
		const struct trace_loss *loss = &trace->losses[i];

		snprintf(count, sizeof(count), "%lld", (long long)loss->count);
		add_line(table, loss->kind, count, loss->detail ? loss->detail : "-");
	}
	if (trace->loss_count) {
		print_table(table);
		return;
	}
	scols_unref_table(table);
	puts("No losses were recorded.\n");
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

static bool print_info(const char *path, char **error)
{
	struct trace *trace = trace_load_counted(path, error);
	struct format size, per_event, count;
	uint64_t events;
	char *failure;

	if (!trace)
		return false;
	printf("%s: trace format %lld.%lld\n\n", path, (long long)(trace->schema_version / 1000),
	       (long long)(trace->schema_version % 1000));
	print_metadata(trace);
	events = print_rows(trace);
	print_matched(trace);
	print_losses(trace);
	failure = not_seen_failure(trace);
	if (failure)
		printf("No device operations: %s.\n", failure);
	free(failure);
	if (trace->unread)
		printf("Not read: %s.\n", trace->unread);
	printf("%s in the file", format_bytes(&size, file_bytes(path)));
	if (events)
		printf(", %s an event (%s events)",
		       format_bytes(&per_event, file_bytes(path) / events),
		       format_count(&count, events));
	puts("");
	trace_close(trace);
	return true;
}

static int info_main(int argc, char **argv)
{
	static const struct option long_options[] = {{"help", no_argument, NULL, 'h'}, {0}};
	int option, status = EXIT_FINE, i;
	char *error;

	while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
		if (option != 'h')
			return EXIT_USAGE;
		fputs(help, stdout);
		return EXIT_FINE;
	}
	if (optind == argc) {
		fputs("streamtrace: info needs a trace: see streamtrace info --help\n", stderr);
		return EXIT_USAGE;
	}
	for (i = optind; i < argc; i++) {
		if (i > optind)
			putchar('\n');
		if (print_info(argv[i], &error))
			continue;
		fprintf(stderr, "streamtrace: %s: %s\n", argv[i], error);
		free(error);
		status = EXIT_UNREADABLE;
	}
	return status;
}

const struct command command_info = {
	.name = "info",
	.summary = "say what is in a trace",
	.main = info_main,
};
