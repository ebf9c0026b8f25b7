/* What is added to a trace after it was recorded. */
#include "trace/database.h"
#include "trace/rows.h"
#include "trace/site.h"
#include "trace/source_files.h"
#include "trace/symbols.h"
#include "trace/trace_private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Metadata of a trace whose frames have all that the modules' files tell. */
static const struct trace_note lines_are_stored = {"source_lines", "stored"};

void trace_resolve_sites(struct trace *trace)
{
	const char *lines = trace_metadata(trace, lines_are_stored.key);

	if (lines && strcmp(lines, lines_are_stored.value) == 0)
		return;
	site_forget_described(trace);
	trace->private->has_all_symbols = symbols_resolve(trace);
}

static void store_metadata(struct database *database, const struct trace_note *notes, size_t count)
{
	struct query query;

	query_open(&query, database, "metadata",
		   "INSERT OR REPLACE INTO metadata (key, value) VALUES (:key, :value)");
	for (size_t i = 0; i < count; i++) {
		query_bind_text(&query, ":key", notes[i].key);
		query_bind_text(&query, ":value", notes[i].value);
		query_next(&query);
	}
	query_close(&query);
}

typedef VECTOR(const char *) file_names;

static void add_name(file_names *names, const char *file)
{
	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->items[i], file))
			return;
	*vector_add(names) = file;
}

/* The program's own source files. */
static file_names own_files(const struct trace *trace)
{
	file_names names = {0};

	for (size_t i = 0; i < trace->site_count; i++) {
		const struct trace_site *site = &trace->sites[i];

		for (int k = 0; k < site->depth; k++)
			if (site->frames[k].file && !site->frames[k].is_library &&
			    !site->frames[k].is_library_line)
				add_name(&names, site->frames[k].file);
		for (int k = 0; k < site->python_depth; k++)
			if (!site_is_python_library(site->python_frames[k].file))
				add_name(&names, site->python_frames[k].file);
	}
	return names;
}

/* False: it is not there, or may not be what was compiled or run. */
static bool hash_file(const struct trace *trace, const char *file, uint64_t *hash)
{
	char *path;
	int descriptor = source_file_open(trace, file, &path);
	bool is_known;

	if (descriptor < 0)
		return false;
	is_known = source_file_age(trace, file, descriptor) == SOURCE_SAME &&
		   source_file_hash(descriptor, hash);
	close(descriptor);
	free(path);
	return is_known;
}

static void store_source_files(struct database *database, const struct trace *trace)
{
	file_names names = {0};
	struct query query;
	uint64_t hash;

	if (!rows_has_table(database, TABLE_source_files))
		return;
	names = own_files(trace);
	query_open(&query, database, "source_files",
		   "INSERT OR REPLACE INTO source_files (file, hash) VALUES (:file, :hash)");
	for (size_t i = 0; i < names.count; i++) {
		if (!hash_file(trace, names.items[i], &hash))
			continue;
		query_bind_text(&query, ":file", names.items[i]);
		query_bind_integer(&query, ":hash", (int64_t)hash);
		query_next(&query);
	}
	query_close(&query);
	vector_free(&names);
}

int trace_store_sites(struct trace *trace, char **error)
{
	struct database database;
	struct query query;
	size_t i;
	int depth;

	database_open_write(&database, trace->file);
	query_open(&query, &database, "frames",
		   "UPDATE frames SET function = :function, file = :file, line = nullif(:line, 0), "
		   "through = :through, is_library = iif(:file IS NULL, NULL, :is_library) "
		   "WHERE site_id = :site_id AND depth = :depth");
	for (i = 0; i < trace->site_count; i++) {
		const struct trace_site *site = &trace->sites[i];

		for (depth = 0; depth < site->depth; depth++) {
			const struct trace_frame *frame = &site->frames[depth];

			query_bind_text(&query, ":function", frame->function);
			query_bind_text(&query, ":file", frame->file);
			query_bind_integer(&query, ":line", frame->line);
			query_bind_text(&query, ":through", frame->through);
			query_bind_integer(&query, ":is_library", frame->is_library_line);
			query_bind_integer(&query, ":site_id", site->id);
			query_bind_integer(&query, ":depth", depth);
			query_next(&query);
		}
	}
	query_close(&query);
	store_source_files(&database, trace);
	if (trace->private->has_all_symbols)
		store_metadata(&database, &lines_are_stored, 1);
	database_commit(&database);
	*error = database_close(&database);
	return *error ? -1 : 0;
}

int trace_store_metadata(struct trace *trace, const struct trace_note *notes, size_t count,
			 char **error)
{
	struct database database;

	database_open_write(&database, trace->file);
	store_metadata(&database, notes, count);
	database_commit(&database);
	*error = database_close(&database);
	return *error ? -1 : 0;
}

bool trace_join_log(const struct trace *trace)
{
	return database_join_log(trace->file);
}

void trace_add_metadata(struct trace *trace, const struct trace_note *notes, size_t count)
{
	size_t before = trace->metadata_count;
	struct trace_metadata_row *rows = memory_array(before + count, sizeof(*rows));

	for (size_t i = 0; i < before; i++)
		rows[i] = trace->metadata[i];
	for (size_t i = 0; i < count; i++)
		rows[before + i] = (struct trace_metadata_row){
			.key = arena_text(&trace->private->arena, notes[i].key),
			.value = arena_text(&trace->private->arena, notes[i].value),
		};
	free(trace->metadata);
	trace->metadata = rows;
	trace->metadata_count = before + count;
}
