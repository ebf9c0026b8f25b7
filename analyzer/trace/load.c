#include "trace/block_rows.h"
#include "trace/kernel_code.h"
#include "trace/loader.h"
#include "trace/nsys.h"
#include "trace/nsys_host.h"

#include <stdlib.h>
#include <string.h>

/* Metadata is told as it is, not counted; rows are counted alike in blocks and as such. */
static bool is_told(struct database *database, enum row_table table)
{
	return table != TABLE_metadata && !block_rows_is_table(table) &&
	       rows_has_table(database, table);
}

static void count_rows(struct trace_loader *loader)
{
	struct database *database = &loader->database;
	VECTOR(struct trace_table) counted = {0};

	for (enum row_table table = 0; table < TABLE_COUNT; table++)
		if (is_told(database, table))
			*vector_add(&counted) = (struct trace_table){
				.name = rows_table_name(table),
				.holds_events = rows_are_events(table),
				.rows = rows_count(database, table) +
					block_rows_count(database, table),
			};
	vector_move(&counted, loader->trace->tables, loader->trace->table_count);
}

static void read_ahead(struct trace_loader *loader)
{
	struct row_shards *const tables[] = {&loader->call_shards, &loader->operation_shards,
					     &loader->record_shards,
					     &loader->synchronization_shards};

	trace_plan_calls(loader);
	trace_plan_operations(loader);
	trace_plan_events(loader);
	row_shards_read_ahead(loader, tables, sizeof(tables) / sizeof(*tables));
}

/* Without its log the file may be well-formed, but have hardly anything of the run. */
static void check_log(struct trace_loader *loader)
{
	const char *log = trace_metadata(loader->trace, "log");

	if (!log || strcmp(log, "unread") != 0 || database_has_log(loader->trace->path))
		return;
	/* With the tables it has `end` and `log`; the run is described in the first commit of the log. */
	if (!trace_metadata(loader->trace, "start_ns"))
		database_fail(&loader->database,
			      "has nothing of the run: its program was killed as it began to "
			      "write, or all is in its log, which is missing: copy the file of its "
			      "name and -wal, too");
	else
		database_fail(&loader->database,
			      "is not whole: its newest part is in its log, which is missing: copy "
			      "the file of its name and -wal, too");
}

static void read_tables(struct trace_loader *loader)
{
	trace_read_metadata(loader);
	if (loader->options.is_metadata)
		return;
	trace_read_dictionaries(loader);
	check_log(loader);
	trace_check_room(loader);
	trace_read_sites(loader);
	trace_read_arguments(loader);
	read_ahead(loader);
	trace_read_calls(loader);
	trace_read_nodes(loader);
	trace_read_graph_edges(loader);
	trace_read_operations(loader);
	if (loader->database.error)
		return;
	trace_note_graph_updates(loader->trace);
	trace_join_operations(loader);
	trace_read_allocations(loader);
	trace_join_event_waits(loader);
	trace_read_host_functions(loader);
	trace_read_first_uses(loader);
	trace_read_copy_watches(loader);
	trace_read_nvtx_ranges(loader);
	trace_lend_sites(loader);
	trace_read_clock_reads(loader);
	trace_read_pool_trims(loader);
	trace_read_overheads(loader);
	trace_read_thread_times(loader);
	trace_read_host_states(loader);
	trace_read_incidents(loader);
	trace_read_migrations(loader);
	trace_read_collectives(loader);
	trace_read_code_images(loader);
	trace_read_trials(loader);
	trace_read_losses(loader);
	trace_read_windows(loader);
	trace_join_windows(loader);
}

struct trace *trace_load_as(const char *path, const struct load_options *options, char **error)
{
	struct trace *trace = memory_array(1, sizeof(*trace));
	struct trace_loader loader = {.trace = trace, .options = *options};

	trace->private = memory_array(1, sizeof(*trace->private));
	loader.arena = &trace->private->arena;
	trace->file = path;
	trace->path = arena_text(loader.arena, path);
	database_open(&loader.database, path);
	trace->lacks_addresses = loader.database.is_nsys;
	if (loader.database.is_nsys)
		nsys_prepare(&loader.database);
	if (loader.database.is_nsys && !options->is_metadata)
		nsys_host_prepare(&loader.database);
	trace->schema_version = loader.database.schema_version;
	if (loader.database.lacks_log)
		trace->unread = "the trace's write-ahead log (-wal) needs a writable folder";
	read_tables(&loader);
	if (options->is_counted)
		count_rows(&loader);
	trace_loader_free(&loader);
	*error = database_close(&loader.database);
	if (!*error)
		return trace;
	trace_close(trace);
	return NULL;
}

/* Strict mode only if something is wrong: it reports what, independent of the threads. */
static struct trace *load_counted(const char *path, bool is_counted, char **error)
{
	struct load_options options = {.is_counted = is_counted};
	struct trace *trace = trace_load_as(path, &options, error);

	if (trace)
		return trace;
	free(*error);
	options.is_strict = true;
	return trace_load_as(path, &options, error);
}

struct trace *trace_load(const char *path, char **error)
{
	return load_counted(path, false, error);
}

struct trace *trace_load_metadata(const char *path, char **error)
{
	const struct load_options options = {.is_metadata = true, .is_strict = true};

	return trace_load_as(path, &options, error);
}

struct trace *trace_load_counted(const char *path, char **error)
{
	return load_counted(path, true, error);
}

void trace_close(struct trace *trace)
{
	if (trace && trace->whole)
		trace = device_part_free(trace);
	if (!trace)
		return;
	kernel_code_free(trace);
	free(trace->functions);
	free(trace->streams);
	free(trace->contexts);
	free(trace->devices);
	free(trace->sites);
	free(trace->source_files);
	free(trace->trials);
	free(trace->calls);
	free(trace->operations);
	free(trace->graph_nodes);
	free(trace->graph_edges);
	free(trace->event_waits);
	free(trace->host_functions);
	free(trace->first_uses);
	free(trace->copy_watches);
	free(trace->ranges);
	free(trace->losses);
	free(trace->tool_costs);
	free(trace->overheads);
	free(trace->migrations);
	free(trace->host_states);
	free(trace->incidents);
	free(trace->steps);
	free(trace->threads);
	free(trace->thread_times);
	free(trace->communicators);
	free(trace->collectives);
	free(trace->windows);
	free(trace->allocations);
	free(trace->arguments);
	free(trace->metadata);
	free(trace->tables);
	vector_free(&trace->private->arguments);
	vector_free(&trace->private->frames);
	vector_free(&trace->private->images);
	vector_free(&trace->private->python_frames);
	vector_free(&trace->private->demangled);
	map_free(&trace->private->demangled_map);
	map_free(&trace->private->updated_graphs);
	vector_free(&trace->private->described);
	map_free(&trace->private->described_map);
	for (size_t i = 0; i < CONNECTIONS_MOST; i++) {
		forms_free(&trace->private->call_forms[i]);
		forms_free(&trace->private->operation_forms[i]);
	}
	forms_free(&trace->private->lent_forms);
	arena_free(&trace->private->arena);
	free(trace->private);
	free(trace);
}
