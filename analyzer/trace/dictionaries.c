/* What other rows refer to: texts, devices, contexts, streams, functions, modules. */
#include "trace/loader.h"
#include "trace/site.h"

#include <string.h>

static const char *const function_class_names[CLASS_COUNT] = {
	[CLASS_OTHER] = "other",
#define FUNCTION_CLASS(name, symbol, word, makes_operations, is_hot) [CLASS_##symbol] = (word),
#include "facts/function_classes.def"
#undef FUNCTION_CLASS
};

/* A class that a newer library added is none that the detectors know. */
static enum function_class function_class(const char *name)
{
	int i;

	for (i = 0; i < CLASS_COUNT; i++)
		if (strcmp(name, function_class_names[i]) == 0)
			return i;
	return CLASS_OTHER;
}

void trace_read_metadata(struct trace_loader *loader)
{
	VECTOR(struct trace_metadata_row) metadata = {0};
	struct metadata_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_metadata, "ORDER BY key");
	while (rows_next_metadata(&rows, &row))
		*vector_add(&metadata) = (struct trace_metadata_row){
			.key = trace_keep_text(loader, row.key),
			.value = trace_keep_text(loader, row.value),
		};
	rows_close(&rows);
	vector_move(&metadata, loader->trace->metadata, loader->trace->metadata_count);
}

static void read_strings(struct trace_loader *loader)
{
	struct strings_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_strings, "");
	while (rows_next_strings(&rows, &row)) {
		trace_add_id(&rows, &loader->string_map, row.id, loader->strings.count);
		*vector_add(&loader->strings) = trace_keep_text(loader, row.text);
	}
	rows_close(&rows);
}

static uint32_t limit_of(int64_t value)
{
	return (uint32_t)row_or(value, 0);
}

static void read_devices(struct trace_loader *loader)
{
	VECTOR(struct trace_device) devices = {0};
	struct devices_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_devices, "");
	while (rows_next_devices(&rows, &row))
		*vector_add(&devices) = (struct trace_device){
			.id = (uint32_t)row.id,
			.name = trace_keep_text(loader, row.name),
			.uuid = trace_keep_text(loader, row.uuid),
			.link_bytes_per_s = (uint64_t)row_or(row.link_bytes_per_s, 0),
			.compute_major = limit_of(row.compute_capability_major),
			.compute_minor = limit_of(row.compute_capability_minor),
			.multiprocessors = limit_of(row.multiprocessors),
			.max_warps = limit_of(row.max_warps_per_multiprocessor),
			.max_blocks = limit_of(row.max_blocks_per_multiprocessor),
			.max_shared_bytes = limit_of(row.max_shared_bytes_per_multiprocessor),
			.max_registers = limit_of(row.max_registers_per_multiprocessor),
		};
	rows_close(&rows);
	vector_move(&devices, loader->trace->devices, loader->trace->device_count);
}

static void read_contexts(struct trace_loader *loader)
{
	VECTOR(struct trace_context) contexts = {0};
	struct contexts_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_contexts, "");
	while (rows_next_contexts(&rows, &row)) {
		trace_add_id(&rows, &loader->context_map, row.id, contexts.count);
		*vector_add(&contexts) = (struct trace_context){
			.id = (uint32_t)row.id,
			.device_id = (uint32_t)row.device_id,
			.null_stream_id = (uint32_t)row.null_stream_id,
		};
	}
	rows_close(&rows);
	vector_move(&contexts, loader->trace->contexts, loader->trace->context_count);
}

static void read_streams(struct trace_loader *loader)
{
	struct streams_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_streams, "");
	while (rows_next_streams(&rows, &row)) {
		const size_t count = loader->streams.count;
		uint32_t index = trace_intern_stream(loader, row.context_id, row.id);
		struct trace_stream *stream = &loader->streams.items[index];

		if (index != count)
			rows_fail(&rows, "stream %u of context %u is a duplicate", stream->id,
				  stream->context_id);
		if (stream->flag != STREAM_NULL)
			stream->flag = (enum stream_flag)row_or(row.flag, STREAM_UNKNOWN);
#define STREAM_KEEPS(name, type, missing) stream->name = (type)row_or(row.name, missing);
#include "facts/columns.def"
	}
	rows_close(&rows);
}

static void read_functions(struct trace_loader *loader)
{
	VECTOR(struct trace_function) functions = {0};
	struct functions_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_functions, "");
	while (rows_next_functions(&rows, &row)) {
		trace_add_id(&rows, &loader->function_map, row.id, functions.count);
		*vector_add(&functions) = (struct trace_function){
			.name = trace_keep_text(loader, row.name),
			.class = function_class(row.class),
		};
	}
	rows_close(&rows);
	vector_move(&functions, loader->trace->functions, loader->trace->function_count);
}

static void read_tool_costs(struct trace_loader *loader)
{
	VECTOR(struct trace_tool_cost) costs = {0};
	struct tool_costs_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_tool_costs, "");
	while (rows_next_tool_costs(&rows, &row))
		if (row.calls > 0)
			*vector_add(&costs) = (struct trace_tool_cost){
				.class = function_class(row.class),
				.via_driver_callback = row.api_path,
				.calls = row.calls,
				.outside_ns = row.outside_ns,
				.inside_ns = row.inside_ns,
			};
	rows_close(&rows);
	vector_move(&costs, loader->trace->tool_costs, loader->trace->tool_cost_count);
}

static void mark_libraries(struct trace_loader *loader)
{
	const char *program = trace_metadata(loader->trace, "program"), *path = NULL;
	size_t i;

	for (i = 0; program && i < loader->modules.count; i++)
		if (site_is_program(loader->modules.items[i].path, program))
			path = loader->modules.items[i].path;
	for (i = 0; i < loader->modules.count; i++) {
		struct trace_module *module = &loader->modules.items[i];

		module->is_library = site_is_library(module->path, path);
		module->framework = framework_of_path(module->path);
	}
}

static void read_modules(struct trace_loader *loader)
{
	struct modules_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_modules, "");
	while (rows_next_modules(&rows, &row)) {
		trace_add_id(&rows, &loader->module_map, row.id, loader->modules.count);
		*vector_add(&loader->modules) = (struct trace_module){
			.path = trace_keep_text(loader, row.path),
			.build_id = trace_keep_text(loader, row.build_id),
		};
	}
	rows_close(&rows);
	mark_libraries(loader);
}

void trace_read_dictionaries(struct trace_loader *loader)
{
	read_strings(loader);
	configurations_read(&loader->configurations, &loader->database);
	read_devices(loader);
	read_contexts(loader);
	read_streams(loader);
	read_functions(loader);
	read_tool_costs(loader);
	read_modules(loader);
}
