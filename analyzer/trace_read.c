#include "trace_private.h"

#include <stdlib.h>
#include <string.h>

/* A time, a sum of times and a difference of two must all fit into an int64_t. */
#define TIME_LIMIT_NS	  (INT64_MAX / 2)
#define LOSS_COUNT_LIMIT  ((int64_t)1 << 53)
#define STACK_DEPTH_LIMIT 4096

static const char *const function_class_names[CLASS_COUNT] = {
	[CLASS_OTHER] = "other",
	[CLASS_COPY] = "copy",
	[CLASS_SET] = "set",
	[CLASS_LAUNCH] = "launch",
	[CLASS_GRAPH_LAUNCH] = "graph-launch",
	[CLASS_STREAM_CREATE] = "stream-create",
	[CLASS_STREAM_DESTROY] = "stream-destroy",
	[CLASS_STREAM_SYNC] = "stream-sync",
	[CLASS_STREAM_QUERY] = "stream-query",
	[CLASS_STREAM_WAIT_EVENT] = "stream-wait-event",
	[CLASS_EVENT_CREATE] = "event-create",
	[CLASS_EVENT_DESTROY] = "event-destroy",
	[CLASS_EVENT_RECORD] = "event-record",
	[CLASS_EVENT_SYNC] = "event-sync",
	[CLASS_EVENT_QUERY] = "event-query",
	[CLASS_DEVICE_SYNC] = "device-sync",
	[CLASS_ALLOC] = "alloc",
	[CLASS_FREE] = "free",
	[CLASS_HOST_ALLOC] = "host-alloc",
	[CLASS_HOST_FREE] = "host-free",
	[CLASS_REGISTER] = "register",
	[CLASS_UNREGISTER] = "unregister",
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

static uint32_t read_id32(struct query *query, int column)
{
	return (uint32_t)query_integer(query, column, 0, UINT32_MAX);
}

static const char *read_text(struct trace_loader *loader, struct query *query, int column)
{
	return arena_text(loader->arena, query_text(query, column));
}

static const char *read_optional_text(struct trace_loader *loader, struct query *query, int column)
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

/* Index behind the id in column; an unknown id is a failure. */
static size_t find_id(struct query *query, int column, const struct map *map, const char *table)
{
	int64_t id = query_integer(query, column, INT64_MIN, INT64_MAX);
	size_t index = map_find(map, (uint64_t)id);

	if (index == MAP_NONE)
		query_fail(query, "%s has no row %lld", table, (long long)id);
	return index;
}

void trace_read_times(struct trace_loader *loader, struct query *query, int column,
		      int64_t *start_ns, int64_t *end_ns)
{
	*start_ns = query_integer(query, column, 0, TIME_LIMIT_NS);
	*end_ns = query_integer(query, column + 1, 0, TIME_LIMIT_NS);
	if (*end_ns < *start_ns)
		query_fail(query, "it ends before it starts");
	else if (__builtin_add_overflow(loader->duration_ns, *end_ns - *start_ns,
					&loader->duration_ns))
		query_fail(query, "the durations add up to more than a clock can count");
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
		row->key = read_text(loader, &query, 0);
		row->value = read_text(loader, &query, 1);
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
		loader->strings[loader->string_count++] = read_text(loader, &query, 1);
	}
	query_close(&query);
}

static void read_devices(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	struct trace_device *device;
	struct query query;

	query_open(&query, &loader->database, "devices",
		   "SELECT id, name, copy_engines, multiprocessors FROM devices");
	while (query_next(&query)) {
		trace->devices = memory_grow(trace->devices, trace->device_count,
					     &loader->device_capacity, sizeof(*device));
		device = &trace->devices[trace->device_count++];
		device->id = read_id32(&query, 0);
		device->name = read_text(loader, &query, 1);
		device->copy_engines = (int)query_optional(&query, 2, 0, INT32_MAX, 0);
		device->multiprocessors = (int)query_optional(&query, 3, 0, INT32_MAX, 0);
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
		context->id = read_id32(&query, 0);
		context->device_id = read_id32(&query, 1);
		context->null_stream_id = read_id32(&query, 2);
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
		   "SELECT context_id, id, flag, priority, handle, created_ns, destroyed_ns "
		   "FROM streams");
	while (query_next(&query)) {
		context_id = read_id32(&query, 0);
		id = read_id32(&query, 1);
		if (!add_stream(loader, context_id, id)) {
			query_fail(&query, "stream %u of context %u comes twice", id, context_id);
			break;
		}
		stream = &loader->trace->streams[loader->trace->stream_count - 1];
		if (stream->flag != STREAM_NULL)
			stream->flag = query_optional(&query, 2, STREAM_UNKNOWN, STREAM_NULL,
						      STREAM_UNKNOWN);
		stream->priority = (int)query_optional(&query, 3, INT32_MIN, INT32_MAX, 0);
		stream->handle = query_bits(&query, 4);
		stream->created_ns = query_optional(&query, 5, 0, TIME_LIMIT_NS, INT64_MIN);
		stream->destroyed_ns = query_optional(&query, 6, 0, TIME_LIMIT_NS, INT64_MAX);
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
		function->name = read_text(loader, &query, 1);
		function->class = function_class(query_text(&query, 2));
	}
	query_close(&query);
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
		module->path = read_text(loader, &query, 1);
		module->build_id = read_optional_text(loader, &query, 2);
	}
	query_close(&query);
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
		.function = read_optional_text(loader, query, 4),
		.file = read_optional_text(loader, query, 5),
		.line = (int)query_optional(query, 6, 0, INT32_MAX, 0),
	};
	if (query_is_null(query, 2))
		return;
	module = find_id(query, 2, &loader->module_map, "modules");
	if (module == MAP_NONE)
		return;
	frame->module = loader->modules[module].path;
	frame->build_id = loader->modules[module].build_id;
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
		site = find_id(&query, 0, &loader->site_map, "call_sites");
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
}

static void read_call(struct trace_loader *loader, struct query *query, struct trace_call *call)
{
	struct trace *trace = loader->trace;
	size_t function = find_id(query, 2, &loader->function_map, "functions"), site;

	*call = (struct trace_call){
		.thread_id = read_id32(query, 1),
		.function = function == MAP_NONE ? NULL : &trace->functions[function],
		.result = (int)query_integer(query, 5, INT32_MIN, INT32_MAX),
		.is_driver = query_integer(query, 6, 0, 1),
		.per_thread_stream = query_integer(query, 7, 0, 1),
		.has_stream = !query_is_null(query, 10),
		.stream_handle = query_bits(query, 10),
		.object = query_bits(query, 11),
		.dst = query_bits(query, 12),
		.src = query_bits(query, 13),
		.size_bytes = (uint64_t)query_optional(query, 14, 0, INT64_MAX, 0),
	};
	trace_read_times(loader, query, 3, &call->start_ns, &call->end_ns);
	if (query_is_null(query, 8))
		return;
	site = find_id(query, 8, &loader->site_map, "call_sites");
	call->site = site == MAP_NONE ? NULL : &trace->sites[site];
}

static void read_call_rows(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	int64_t id, last_id = INT64_MIN, correlation_id;
	struct query query;

	query_open(&query, &loader->database, "calls",
		   "SELECT id, thread_id, function_id, start_ns, end_ns, result, door, "
		   "per_thread_stream, site_id, correlation_id, stream_handle, object, dst, src, "
		   "size_bytes FROM calls");
	while (query_next(&query)) {
		id = query_integer(&query, 0, INT64_MIN + 1, INT64_MAX);
		if (id <= last_id)
			query_fail(&query, "id %lld comes twice or too late", (long long)id);
		last_id = id;
		trace->calls = memory_grow(trace->calls, trace->call_count, &loader->call_capacity,
					   sizeof(*trace->calls));
		loader->call_ids = memory_grow(loader->call_ids, trace->call_count,
					       &loader->call_id_capacity, sizeof(int64_t));
		read_call(loader, &query, &trace->calls[trace->call_count]);
		correlation_id = query_optional(&query, 9, 0, UINT32_MAX, 0);
		if (correlation_id)
			map_add(&loader->correlation_map, (uint64_t)correlation_id,
				trace->call_count);
		loader->call_ids[trace->call_count++] = id;
	}
	query_close(&query);
}

static int compare_ids(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

void trace_read_calls(struct trace_loader *loader)
{
	int64_t call_id, *found;
	struct query query;

	read_call_rows(loader);
	query_open(&query, &loader->database, "correlations",
		   "SELECT correlation_id, call_id FROM correlations");
	while (query_next(&query)) {
		call_id = query_integer(&query, 1, INT64_MIN, INT64_MAX);
		found = loader->call_ids
				? bsearch(&call_id, loader->call_ids, loader->trace->call_count,
					  sizeof(call_id), compare_ids)
				: NULL;
		if (found)
			map_add(&loader->correlation_map, read_id32(&query, 0),
				(size_t)(found - loader->call_ids));
		else
			query_fail(&query, "calls has no row %lld", (long long)call_id);
	}
	query_close(&query);
}

/* CUPTI's copy kinds; see operations.copy_kind in preload/schema.sql. */
static enum engine engine_of(enum operation_kind kind, int copy_kind)
{
	static const enum engine engines[] = {
		[1] = ENGINE_H2D, [2] = ENGINE_D2H,   [3] = ENGINE_H2D,
		[4] = ENGINE_D2H, [10] = ENGINE_PEER,
	};

	if (kind != OPERATION_COPY || (size_t)copy_kind >= sizeof(engines) / sizeof(*engines))
		return ENGINE_COMPUTE;
	return engines[copy_kind];
}

static void read_operation(struct trace_loader *loader, struct query *query)
{
	struct trace *trace = loader->trace;
	struct trace_operation *operation;
	size_t call, name, index = trace->operation_count++;

	trace->operations = memory_grow(trace->operations, index, &loader->operation_capacity,
					sizeof(*operation));
	loader->operation_streams =
		memory_grow(loader->operation_streams, index, &loader->operation_stream_capacity,
			    sizeof(*loader->operation_streams));
	operation = &trace->operations[index];
	*operation = (struct trace_operation){
		.kind = query_integer(query, 1, OPERATION_KERNEL, OPERATION_SET),
		.device_id = read_id32(query, 4),
		.copy_kind = (uint8_t)query_optional(query, 9, 0, UINT8_MAX, 0),
		.src_kind = (uint8_t)query_optional(query, 10, 0, UINT8_MAX, 0),
		.dst_kind = (uint8_t)query_optional(query, 11, 0, UINT8_MAX, 0),
		.is_async = query_optional(query, 12, 0, 1, 0),
		.size_bytes = (uint64_t)query_optional(query, 13, 0, INT64_MAX, 0),
	};
	trace_read_times(loader, query, 2, &operation->start_ns, &operation->end_ns);
	operation->engine = engine_of(operation->kind, operation->copy_kind);
	loader->operation_streams[index] =
		trace_intern_stream(loader, read_id32(query, 5), read_id32(query, 6));
	call = map_find(&loader->correlation_map, read_id32(query, 7));
	if (call != MAP_NONE)
		operation->call = &trace->calls[call];
	if (query_is_null(query, 8))
		return;
	name = find_id(query, 8, &loader->string_map, "strings");
	operation->name = name == MAP_NONE ? NULL : loader->strings[name];
}

void trace_read_operations(struct trace_loader *loader)
{
	int64_t id, last_id = INT64_MIN;
	struct query query;

	query_open(&query, &loader->database, "operations",
		   "SELECT id, kind, start_ns, end_ns, device_id, context_id, stream_id, "
		   "correlation_id, name_id, copy_kind, src_kind, dst_kind, is_async, size_bytes "
		   "FROM operations");
	while (query_next(&query)) {
		id = query_integer(&query, 0, INT64_MIN + 1, INT64_MAX);
		if (id <= last_id)
			query_fail(&query, "id %lld comes twice or too late", (long long)id);
		last_id = id;
		if (query_is_null(&query, 2) || query_is_null(&query, 3))
			loader->trace->untimed_operations++;
		else
			read_operation(loader, &query);
	}
	query_close(&query);
}

void trace_read_losses(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	struct trace_loss *loss;
	struct query query;

	query_open(&query, &loader->database, "losses",
		   "SELECT kind, count, detail FROM losses ORDER BY id");
	while (query_next(&query)) {
		trace->losses = memory_grow(trace->losses, trace->loss_count,
					    &loader->loss_capacity, sizeof(*loss));
		loss = &trace->losses[trace->loss_count++];
		loss->kind = read_text(loader, &query, 0);
		loss->count = query_integer(&query, 1, -LOSS_COUNT_LIMIT, LOSS_COUNT_LIMIT);
		loss->detail = read_optional_text(loader, &query, 2);
	}
	query_close(&query);
}
