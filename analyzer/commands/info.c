#include "base/format.h"
#include "base/memory.h"
#include "commands/command.h"
#include "commands/inventory.h"
#include "commands/operands.h"
#include "render/json_parts.h"
#include "render/render.h"
#include "render/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	static const char *const durations[] = {"host_cpu_ns", "host_look_ns", "tool_cpu_ns",
						"tool_flush_ns"};
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

static bool print_rows(const struct trace *trace)
{
	struct table table = open_table("TABLE", "ROWS", "");
	struct format format;

	for (size_t i = 0; i < trace->table_count; i++)
		add_row(&table, trace->tables[i].name, format_count(&format, trace->tables[i].rows),
			NULL);
	return close_table(&table);
}

static bool print_operations(const struct inventory *inventory)
{
	struct table table = open_table("OPERATION", "TOTAL", "WITH CALL");
	struct format a, b;

	for (size_t kind = OPERATION_KERNEL; kind < OPERATION_KIND_COUNT; kind++)
		add_row(&table, inventory_word(kind), format_count(&a, inventory->operations[kind]),
			format_count(&b, inventory->with_call[kind]));
	if (inventory->trace->untimed_operations)
		add_row(&table, "untimed", format_count(&a, inventory->trace->untimed_operations),
			"-");
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

static bool print_communicators(const struct inventory *inventory)
{
	const size_t count = inventory->trace->communicator_count;
	struct table table = open_table("COMMUNICATOR", "COLLECTIVES", "WITH KERNEL");
	struct format a, b;

	for (size_t i = 0; i <= count; i++) {
		char *name = i < count ? communicator_name(&inventory->trace->communicators[i])
				       : memory_format("not known");

		if (i < count || inventory->collectives[i])
			add_row(&table, name, format_count(&a, inventory->collectives[i]),
				format_count(&b, inventory->with_kernel[i]));
		free(name);
	}
	return close_table(&table);
}

static bool print_graphs(const struct inventory *inventory)
{
	static const char *const columns[] = {"LAUNCHES", "NODES", "STREAMS", "TIME",
					      "CRITICAL PATH"};
	struct table table = table_open(stdout, 0);
	struct format launches, nodes, streams, time, path;

	table_add_column(&table, "GRAPH LAUNCHED AT", false);
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_add_column(&table, columns[i], true);
	for (size_t i = 0; i < inventory->graphs.count; i++) {
		const struct inventory_graph *graph = &inventory->graphs.items[i];
		char *place = render_site(inventory->trace, &graph->site);
		const char *const cells[] = {
			place,
			format_count(&launches, graph->launches),
			format_count(&nodes, (uint64_t)graph->nodes),
			format_count(&streams, (uint64_t)graph->streams),
			format_time(&time, graph->time_ns),
			graph->path_ns < 0 ? "-" : format_time(&path, graph->path_ns)};

		table_add_row(&table, cells);
		free(place);
	}
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

static void print_size(const struct inventory *inventory)
{
	struct format size, per_event, count;

	printf("file size %s", format_bytes(&size, inventory->file_bytes));
	if (inventory->events)
		printf(": %s per event, %s events",
		       format_bytes(&per_event, inventory->file_bytes / inventory->events),
		       format_count(&count, inventory->events));
	puts("");
}

static bool print_tables(const struct inventory *inventory)
{
	const struct trace *trace = inventory->trace;

	return print_metadata(trace) && print_rows(trace) && print_operations(inventory) &&
	       ((!trace->communicator_count && !trace->collective_count) ||
		print_communicators(inventory)) &&
	       (!inventory->graphs.count || print_graphs(inventory)) && print_losses(trace);
}

/* is_further: behind another trace. False: out of memory. */
static bool print_info(const struct inventory *inventory, bool is_further)
{
	const struct trace *trace = inventory->trace;

	printf("%s%s: trace format %lld.%lld\n\n", is_further ? "\n" : "", trace->path,
	       (long long)(trace->schema_version / 1000),
	       (long long)(trace->schema_version % 1000));
	if (!print_tables(inventory))
		return false;
	if (inventory->failure)
		printf("No GPU operations: %s.\n", inventory->failure);
	if (trace->unread)
		printf("Not read: %s.\n", trace->unread);
	print_size(inventory);
	return true;
}

/* Prints the trace, or adds it to the array if that is not NULL. False: it cannot be read, which was printed. */
static bool show_trace(const char *path, json_t *array, bool is_further)
{
	char *error = NULL;
	struct trace *trace = trace_load_counted(path, &error);
	bool ok = false;

	if (trace) {
		struct inventory inventory = inventory_count(trace, path);

		ok = array ? !json_array_append_new(array, inventory_json(&inventory))
			   : print_info(&inventory, is_further);
		inventory_free(&inventory);
		trace_close(trace);
	}
	if (!ok)
		command_fail(EXIT_UNREADABLE, "%s: %s", path, error ? error : "out of memory");
	free(error);
	return ok;
}

/* One trace as an object, several as an array of those that could be read. Releases the array. */
static bool print_array(json_t *array, size_t trace_count)
{
	json_t *one = trace_count == 1 ? json_incref(json_array_get(array, 0)) : NULL;
	bool is_made =
		!json_array_size(array) || print_json(stdout, one ? one : json_incref(array));

	json_decref(array);
	return is_made;
}

static int info_main(const struct arguments *arguments)
{
	bool is_json = !strcmp(arguments->values[OPTION_PLAIN_FORMAT], "json");
	json_t *array = is_json ? json_array() : NULL;
	struct operands traces;
	bool is_fine =
		operands_expand(&traces, arguments->operands, (size_t)arguments->operand_count);
	size_t shown = 0;

	for (size_t i = 0; i < traces.count; i++)
		shown += show_trace(traces.paths[i], array, shown > 0);
	is_fine &= shown == traces.count;
	if (is_json && !print_array(array, traces.count)) {
		command_fail(EXIT_UNREADABLE, "out of memory");
		is_fine = false;
	}
	operands_free(&traces);
	return is_fine ? EXIT_FINE : EXIT_UNREADABLE;
}

const struct command command_info = {
	.name = "info",
	.summary = "show what is in a trace",
	.operands = "TRACE|FOLDER...",
	.needs = "a trace",
	.description = "Shows what is in a trace: its metadata, its rows, what was lost, and its "
		       "size. A folder stands for the traces of its newest run.",
	.example = "streamtrace info app.db",
	.schema = info_schema,
	.main = info_main,
};
