#include "trace/private.h"

#include <stdlib.h>
#include <string.h>

static void loader_free(struct trace_loader *loader)
{
	free(loader->strings);
	free(loader->modules);
	free(loader->records);
	free(loader->nodes);
	free(loader->call_ids);
	free(loader->operation_streams);
	map_free(&loader->string_map);
	map_free(&loader->function_map);
	map_free(&loader->module_map);
	map_free(&loader->site_map);
	map_free(&loader->stream_map);
	map_free(&loader->context_map);
	map_free(&loader->record_map);
	map_free(&loader->node_map);
	map_free(&loader->launched);
	map_free(&loader->correlation_map);
	database_close(&loader->database);
}

struct trace *trace_load(const char *path, char **error)
{
	struct trace *trace = memory_array(1, sizeof(*trace));
	struct trace_loader loader = {.trace = trace};

	trace->path = path;
	trace->private = memory_array(1, sizeof(*trace->private));
	loader.arena = &trace->private->arena;
	database_open(&loader.database, path);
	trace->schema_version = loader.database.schema_version;
	if (loader.database.lacks_log)
		trace->unread = "the trace's write-ahead log (-wal) needs a writable folder";
	trace_read_dictionaries(&loader);
	trace_read_sites(&loader);
	trace_read_calls(&loader);
	trace_read_nodes(&loader);
	trace_read_arguments(&loader);
	trace_join_calls(&loader);
	trace_read_operations(&loader);
	trace_join_operations(&loader);
	trace_join_event_waits(&loader);
	trace_read_host_functions(&loader);
	trace_read_first_uses(&loader);
	trace_read_losses(&loader);
	trace_read_windows(&loader);
	trace_join_windows(&loader);
	*error = loader.database.error;
	loader.database.error = NULL;
	loader_free(&loader);
	if (!*error)
		return trace;
	trace_close(trace);
	return NULL;
}

const char *trace_metadata(const struct trace *trace, const char *key)
{
	size_t i;

	/* A trace that was not loaded has none. */
	for (i = 0; trace->private && i < trace->private->metadata_count; i++)
		if (strcmp(trace->private->metadata[i].key, key) == 0)
			return trace->private->metadata[i].value;
	return NULL;
}

int trace_store_sites(struct trace *trace, char **error)
{
	struct database database;
	struct query query;
	size_t i;
	int depth;

	database_open_write(&database, trace->path);
	query_open(&query, &database, "frames",
		   "UPDATE frames SET function = ?1, file = ?2, line = nullif(?3, 0) "
		   "WHERE site_id = ?4 AND depth = ?5");
	for (i = 0; i < trace->site_count; i++) {
		const struct trace_site *site = &trace->sites[i];

		for (depth = 0; depth < site->depth; depth++) {
			const struct trace_frame *frame = &site->frames[depth];

			query_bind_text(&query, 1, frame->function);
			query_bind_text(&query, 2, frame->file);
			query_bind_integer(&query, 3, frame->line);
			query_bind_integer(&query, 4, site->id);
			query_bind_integer(&query, 5, depth);
			query_next(&query);
		}
	}
	query_close(&query);
	database_commit(&database);
	*error = database.error;
	database.error = NULL;
	database_close(&database);
	return *error ? -1 : 0;
}

int trace_store_metadata(struct trace *trace, const struct trace_note *notes, size_t count,
			 char **error)
{
	struct database database;
	struct query query;

	database_open_write(&database, trace->path);
	query_open(&query, &database, "metadata",
		   "INSERT OR REPLACE INTO metadata (key, value) VALUES (?1, ?2)");
	for (size_t i = 0; i < count; i++) {
		query_bind_text(&query, 1, notes[i].key);
		query_bind_text(&query, 2, notes[i].value);
		query_next(&query);
	}
	query_close(&query);
	database_commit(&database);
	*error = database.error;
	database.error = NULL;
	database_close(&database);
	return *error ? -1 : 0;
}

void trace_close(struct trace *trace)
{
	if (!trace)
		return;
	free(trace->functions);
	free(trace->streams);
	free(trace->contexts);
	free(trace->devices);
	free(trace->sites);
	free(trace->calls);
	free(trace->operations);
	free(trace->event_waits);
	free(trace->host_functions);
	free(trace->first_uses);
	free(trace->losses);
	free(trace->windows);
	free(trace->allocations);
	free(trace->arguments);
	free(trace->private->arguments);
	free(trace->private->metadata);
	free(trace->private->frames);
	free(trace->private->python_frames);
	free(trace->private->demangled);
	map_free(&trace->private->demangled_map);
	arena_free(&trace->private->arena);
	free(trace->private);
	free(trace);
}
