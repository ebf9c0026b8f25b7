#include "commands/inventory.h"

#include "base/memory.h"
#include "findings/not_seen.h"
#include "render/json_parts.h"

#include <stdlib.h>
#include <sys/stat.h>

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

static void count_collectives(struct inventory *inventory)
{
	const struct trace *trace = inventory->trace;
	const size_t count = trace->communicator_count;

	inventory->collectives = memory_array(count + 1, sizeof(*inventory->collectives));
	inventory->with_kernel = memory_array(count + 1, sizeof(*inventory->with_kernel));
	for (size_t i = 0; i < trace->collective_count; i++) {
		const struct trace_collective *collective = &trace->collectives[i];
		const size_t row = collective->communicator == NO_COMMUNICATOR
					   ? count
					   : collective->communicator;

		inventory->collectives[row]++;
		inventory->with_kernel[row] += collective->kernel != NO_KERNEL;
	}
}

struct inventory inventory_count(const struct trace *trace, const char *path)
{
	struct inventory inventory = {.trace = trace, .file_bytes = file_bytes(path)};

	for (size_t i = 0; i < trace->table_count; i++)
		inventory.events += trace->tables[i].holds_events ? trace->tables[i].rows : 0;
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		size_t kind = operation->form->is_graph ? OPERATION_GRAPH : operation->form->kind;

		inventory.operations[kind]++;
		inventory.with_call[kind] += operation->call != NULL;
	}
	count_collectives(&inventory);
	inventory.graphs = inventory_graphs_count(trace);
	inventory.failure = not_seen_failure(trace);
	return inventory;
}

const char *inventory_word(size_t kind)
{
	static const char *const words[OPERATION_KIND_COUNT] = {
#define OPERATION_KIND(symbol, number, word) [OPERATION_##symbol] = (word),
#include "facts/operation_kinds.def"
#undef OPERATION_KIND
	};

	return words[kind];
}

static json_t *metadata_object(const struct trace *trace)
{
	json_t *object = json_object();

	for (size_t i = 0; i < trace->metadata_count; i++)
		json_object_set_new(object, trace->metadata[i].key,
				    text_or_null(trace->metadata[i].value));
	return object;
}

static json_t *rows_object(const struct trace *trace)
{
	json_t *object = json_object();

	for (size_t i = 0; i < trace->table_count; i++)
		json_object_set_new(object, trace->tables[i].name,
				    json_integer((json_int_t)trace->tables[i].rows));
	return object;
}

static json_t *operations_array(const struct inventory *inventory)
{
	json_t *array = json_array();

	for (size_t kind = OPERATION_KERNEL; kind < OPERATION_KIND_COUNT; kind++)
		json_array_append_new(
			array, json_pack("{s:s, s:I, s:I}", "kind", inventory_word(kind), "total",
					 (json_int_t)inventory->operations[kind], "with_call",
					 (json_int_t)inventory->with_call[kind]));
	return array;
}

static json_t *number_or_null(int32_t number)
{
	return number < 0 ? json_null() : json_integer(number);
}

static json_t *communicators_array(const struct inventory *inventory)
{
	const size_t count = inventory->trace->communicator_count;
	json_t *array = json_array();

	for (size_t i = 0; i <= count; i++) {
		const struct trace_communicator unknown = {.rank = -1, .ranks = -1};
		const struct trace_communicator *communicator =
			i < count ? &inventory->trace->communicators[i] : &unknown;

		if (i == count && !inventory->collectives[i])
			break;
		json_array_append_new(
			array, json_pack("{s:o, s:o, s:o, s:I, s:I}", "id",
					 text_or_null(communicator->unique_id), "rank",
					 number_or_null(communicator->rank), "ranks",
					 number_or_null(communicator->ranks), "collectives",
					 (json_int_t)inventory->collectives[i], "with_kernel",
					 (json_int_t)inventory->with_kernel[i]));
	}
	return array;
}

static json_t *losses_array(const struct trace *trace)
{
	json_t *array = json_array();

	for (size_t i = 0; i < trace->loss_count; i++)
		json_array_append_new(array,
				      json_pack("{s:s, s:I, s:o}", "kind", trace->losses[i].kind,
						"count", (json_int_t)trace->losses[i].count,
						"detail", text_or_null(trace->losses[i].detail)));
	return array;
}

json_t *inventory_json(const struct inventory *inventory)
{
	const struct trace *trace = inventory->trace;

	return json_pack(
		"{s:i, s:s, s:{s:I, s:I}, s:I, s:I, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o}",
		"schema_version", JSON_SCHEMA_VERSION, "path", trace->path, "format", "major",
		(json_int_t)(trace->schema_version / 1000), "minor",
		(json_int_t)(trace->schema_version % 1000), "file_bytes",
		(json_int_t)inventory->file_bytes, "events", (json_int_t)inventory->events,
		"metadata", metadata_object(trace), "rows", rows_object(trace), "operations",
		operations_array(inventory), "untimed_operations",
		(json_int_t)trace->untimed_operations, "communicators",
		communicators_array(inventory), "graphs",
		inventory_graphs_json(trace, &inventory->graphs), "losses", losses_array(trace),
		"no_operations", text_or_null(inventory->failure), "unread",
		text_or_null(trace->unread));
}

void inventory_free(struct inventory *inventory)
{
	free(inventory->collectives);
	free(inventory->with_kernel);
	vector_free(&inventory->graphs);
	free(inventory->failure);
}
