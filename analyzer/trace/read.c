#include "trace/site.h"
#include "trace/private.h"

#include <stdlib.h>
#include <string.h>

#define STACK_DEPTH_LIMIT 4096

static const char *const function_class_names[CLASS_COUNT] = {
	[CLASS_OTHER] = "other",
#define FUNCTION_CLASS(name, symbol, word, makes_operations, is_hot) [CLASS_##symbol] = word,
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

uint32_t trace_read_id32(struct query *query, int column)
{
	return (uint32_t)query_integer(query, column, 0, UINT32_MAX);
}

const char *trace_read_text(struct trace_loader *loader, struct query *query, int column)
{
	return arena_text(loader->arena, query_text(query, column));
}

const char *trace_read_optional_text(struct trace_loader *loader, struct query *query, int column)
{
	const char *text = query_optional_text(query, column);

	return text ? arena_text(loader->arena, text) : NULL;
}

/* Adds the id in column 0. */
static void add_id(struct query *query, struct map *map, size_t index)
{
	int64_t id = query_integer(query, 0, INT64_MIN, INT64_MAX);

	if (!map_add(map, (uint64_t)id, index))
		query_fail(query, "id %lld comes twice", (long long)id);
}

size_t trace_find_id(struct query *query, int column, const struct map *map, const char *table)
{
	int64_t id = query_integer(query, column, INT64_MIN, INT64_MAX);
	size_t index = map_find(map, (uint64_t)id);

	if (index == MAP_NONE)
		query_fail(query, "%s has no row %lld", table, (long long)id);
	return index;
}

static void read_metadata(struct trace_loader *loader)
{
	struct trace_private *private = loader->trace->private;
	struct trace_metadata_row *row;
	struct query query;

	query_open(&query, &loader->database, "metadata", "SELECT key, value FROM metadata");
	while (query_next(&query)) {
		private->metadata = memory_grow(private->metadata, private->metadata_count,
						&loader->metadata_capacity, sizeof(*row));
		row = &private->metadata[private->metadata_count++];
		row->key = trace_read_text(loader, &query, 0);
		row->value = trace_read_text(loader, &query, 1);
	}
	query_close(&query);
}

static void read_strings(struct trace_loader *loader)
{
	struct query query;

	query_open(&query, &loader->database, "strings", "SELECT id, text FROM strings");
	while (query_next(&query)) {
		loader->strings = memory_grow(loader->strings, loader->string_count,
					      &loader->string_capacity, sizeof(*loader->strings));
		add_id(&query, &loader->string_map, loader->string_count);
		loader->strings[loader->string_count++] = trace_read_text(loader, &query, 1);
	}
	query_close(&query);
}

static void read_devices(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	struct trace_device *device;
	struct query query;

	query_open(&query, &loader->database, "devices",
		   "SELECT id, name, multiprocessors, max_warps_per_multiprocessor, "
		   "max_blocks_per_multiprocessor, max_shared_bytes_per_multiprocessor, "
		   "max_registers_per_multiprocessor FROM devices");
	while (query_next(&query)) {
		trace->devices = memory_grow(trace->devices, trace->device_count,
					     &loader->device_capacity, sizeof(*device));
		device = &trace->devices[trace->device_count++];
		device->id = trace_read_id32(&query, 0);
		device->name = trace_read_text(loader, &query, 1);
		device->multiprocessors = (uint32_t)query_optional(&query, 2, 0, INT32_MAX, 0);
		device->max_warps = (uint32_t)query_optional(&query, 3, 0, INT32_MAX, 0);
		device->max_blocks = (uint32_t)query_optional(&query, 4, 0, INT32_MAX, 0);
		device->max_shared_bytes = (uint32_t)query_optional(&query, 5, 0, INT32_MAX, 0);
		device->max_registers = (uint32_t)query_optional(&query, 6, 0, INT32_MAX, 0);
	}
	query_close(&query);
}

static void read_contexts(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	struct trace_context *context;
	struct query query;

	query_open(&query, &loader->database, "contexts",
		   "SELECT id, device_id, null_stream_id FROM contexts");
	while (query_next(&query)) {
		trace->contexts = memory_grow(trace->contexts, trace->context_count,
					      &loader->context_capacity, sizeof(*context));
		add_id(&query, &loader->context_map, trace->context_count);
		context = &trace->contexts[trace->context_count++];
		context->id = trace_read_id32(&query, 0);
		context->device_id = trace_read_id32(&query, 1);
		context->null_stream_id = trace_read_id32(&query, 2);
	}
	query_close(&query);
}

static bool is_null_stream(const struct trace_loader *loader, uint32_t context_id, uint32_t id)
{
	size_t index = map_find(&loader->context_map, context_id);

	return index != MAP_NONE && loader->trace->contexts[index].null_stream_id == id;
}

/* Adds a stream of which only the ids are known. False when it is there already. */
static bool add_stream(struct trace_loader *loader, uint32_t context_id, uint32_t id)
{
	struct trace *trace = loader->trace;
	uint64_t key = (uint64_t)context_id << 32 | id;

	if (!map_add(&loader->stream_map, key, trace->stream_count))
		return false;
	trace->streams = memory_grow(trace->streams, trace->stream_count, &loader->stream_capacity,
				     sizeof(*trace->streams));
	trace->streams[trace->stream_count++] = (struct trace_stream){
		.context_id = context_id,
		.id = id,
		.flag = is_null_stream(loader, context_id, id) ? STREAM_NULL : STREAM_UNKNOWN,
		.created_ns = INT64_MIN,
		.destroyed_ns = INT64_MAX,
	};
	return true;
}

uint32_t trace_intern_stream(struct trace_loader *loader, uint32_t context_id, uint32_t id)
{
	uint64_t key = (uint64_t)context_id << 32 | id;
	size_t index = map_find(&loader->stream_map, key);

	if (index != MAP_NONE)
		return (uint32_t)index;
	add_stream(loader, context_id, id);
	return (uint32_t)loader->trace->stream_count - 1;
}

static void read_streams(struct trace_loader *loader)
{
	struct trace_stream *stream;
	uint32_t context_id, id;
	struct query query;

	query_open(&query, &loader->database, "streams",
		   "SELECT context_id, id, flag, handle, created_ns, destroyed_ns FROM streams");
	while (query_next(&query)) {
		context_id = trace_read_id32(&query, 0);
		id = trace_read_id32(&query, 1);
		if (!add_stream(loader, context_id, id)) {
			query_fail(&query, "stream %u of context %u comes twice", id, context_id);
			break;
		}
		stream = &loader->trace->streams[loader->trace->stream_count - 1];
		if (stream->flag != STREAM_NULL)
			stream->flag = query_optional(&query, 2, STREAM_UNKNOWN, STREAM_NULL,
						      STREAM_UNKNOWN);
		stream->handle = query_bits(&query, 3);
		stream->created_ns = query_optional(&query, 4, 0, TIME_LIMIT_NS, INT64_MIN);
		stream->destroyed_ns = query_optional(&query, 5, 0, TIME_LIMIT_NS, INT64_MAX);
	}
	query_close(&query);
}

static void read_functions(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	struct trace_function *function;
	struct query query;

	query_open(&query, &loader->database, "functions", "SELECT id, name, class FROM functions");
	while (query_next(&query)) {
		trace->functions = memory_grow(trace->functions, trace->function_count,
					       &loader->function_capacity, sizeof(*function));
		add_id(&query, &loader->function_map, trace->function_count);
		function = &trace->functions[trace->function_count++];
		function->name = trace_read_text(loader, &query, 1);
		function->class = function_class(query_text(&query, 2));
	}
	query_close(&query);
}

static void mark_libraries(struct trace_loader *loader)
{
	const char *program = trace_metadata(loader->trace, "program"), *path = NULL;
	size_t i;

	for (i = 0; program && i < loader->module_count; i++)
		if (site_is_program(loader->modules[i].path, program))
			path = loader->modules[i].path;
	for (i = 0; i < loader->module_count; i++)
		loader->modules[i].is_library = site_is_library(loader->modules[i].path, path);
}

static void read_modules(struct trace_loader *loader)
{
	struct trace_module *module;
	struct query query;

	query_open(&query, &loader->database, "modules", "SELECT id, path, build_id FROM modules");
	while (query_next(&query)) {
		loader->modules = memory_grow(loader->modules, loader->module_count,
					      &loader->module_capacity, sizeof(*module));
		add_id(&query, &loader->module_map, loader->module_count);
		module = &loader->modules[loader->module_count++];
		module->path = trace_read_text(loader, &query, 1);
		module->build_id = trace_read_optional_text(loader, &query, 2);
	}
	query_close(&query);
	mark_libraries(loader);
}

void trace_read_dictionaries(struct trace_loader *loader)
{
	read_metadata(loader);
	read_strings(loader);
	read_devices(loader);
	read_contexts(loader);
	read_streams(loader);
	read_functions(loader);
	read_modules(loader);
}

static void read_frame(struct trace_loader *loader, struct query *query)
{
	struct trace_private *private = loader->trace->private;
	struct trace_frame *frame;
	size_t module;

	private->frames = memory_grow(private->frames, private->frame_count,
				      &loader->frame_capacity, sizeof(*frame));
	frame = &private->frames[private->frame_count++];
	*frame = (struct trace_frame){
		.offset = query_bits(query, 3),
		.function = trace_read_optional_text(loader, query, 4),
		.file = trace_read_optional_text(loader, query, 5),
		.line = (int)query_optional(query, 6, 0, INT32_MAX, 0),
	};
	if (query_is_null(query, 2))
		return;
	module = trace_find_id(query, 2, &loader->module_map, "modules");
	if (module == MAP_NONE)
		return;
	frame->module = loader->modules[module].path;
	frame->build_id = loader->modules[module].build_id;
	frame->is_library = loader->modules[module].is_library;
}

/* Frames come site by site, each from depth 0 on without a gap, as many as the site says. */
static void read_frames(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	size_t *first = memory_array(trace->site_count, sizeof(*first)), site, i;
	int *depth = memory_array(trace->site_count, sizeof(*depth));
	struct query query;

	query_open(&query, &loader->database, "frames",
		   "SELECT site_id, depth, module_id, offset, function, file, line FROM frames "
		   "ORDER BY site_id, depth");
	while (query_next(&query)) {
		site = trace_find_id(&query, 0, &loader->site_map, "call_sites");
		if (site == MAP_NONE)
			break;
		if (depth[site] == 0)
			first[site] = trace->private->frame_count;
		query_integer(&query, 1, depth[site], depth[site]);
		depth[site]++;
		read_frame(loader, &query);
	}
	for (i = 0; i < trace->site_count; i++) {
		if (depth[i] != trace->sites[i].depth)
			database_fail(
				&loader->database, "table frames: site %lld has %d rows, not %d",
				(long long)trace->sites[i].id, depth[i], trace->sites[i].depth);
		trace->sites[i].frames = depth[i] ? &trace->private->frames[first[i]] : NULL;
	}
	query_close(&query);
	free(first);
	free(depth);
}

/* As read_frames(), but for the depth, which nothing else tells. */
static void read_python_frames(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	struct trace_private *private = trace->private;
	size_t *first = memory_array(trace->site_count, sizeof(*first)), site, i;
	struct trace_python_frame *frame;
	struct query query;

	query_open(&query, &loader->database, "python_frames",
		   "SELECT site_id, depth, file, line, function FROM python_frames "
		   "ORDER BY site_id, depth");
	while (query_next(&query)) {
		site = trace_find_id(&query, 0, &loader->site_map, "call_sites");
		if (site == MAP_NONE)
			break;
		if (trace->sites[site].python_depth == 0)
			first[site] = private->python_frame_count;
		query_integer(&query, 1, trace->sites[site].python_depth,
			      trace->sites[site].python_depth);
		trace->sites[site].python_depth++;
		private->python_frames =
			memory_grow(private->python_frames, private->python_frame_count,
				    &loader->python_frame_capacity, sizeof(*frame));
		frame = &private->python_frames[private->python_frame_count++];
		frame->file = trace_read_text(loader, &query, 2);
		frame->line = (int)query_optional(&query, 3, 0, INT32_MAX, 0);
		frame->function = trace_read_text(loader, &query, 4);
	}
	for (i = 0; i < trace->site_count; i++)
		if (trace->sites[i].python_depth)
			trace->sites[i].python_frames = &private->python_frames[first[i]];
	query_close(&query);
	free(first);
}

void trace_read_sites(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	struct trace_site *site;
	struct query query;

	query_open(&query, &loader->database, "call_sites", "SELECT id, depth FROM call_sites");
	while (query_next(&query)) {
		trace->sites = memory_grow(trace->sites, trace->site_count, &loader->site_capacity,
					   sizeof(*site));
		add_id(&query, &loader->site_map, trace->site_count);
		site = &trace->sites[trace->site_count++];
		*site = (struct trace_site){
			.id = query_integer(&query, 0, INT64_MIN, INT64_MAX),
			.depth = (int)query_integer(&query, 1, 0, STACK_DEPTH_LIMIT),
		};
	}
	query_close(&query);
	read_frames(loader);
	if (database_has_table(&loader->database, "python_frames"))
		read_python_frames(loader);
}
