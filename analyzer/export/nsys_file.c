/*
 * Nsight Systems' SQLite export: what `nsys stats` and `nsys analyze` read. ours_as_theirs.sql says what
 * becomes what; SQLite does it, from file to file.
 */
#include "base/memory.h"
#include "export/exporters.h"
#include "trace/demangle.h"
#include "trace/rows.h"
#include "trace/short_name.h"
#include "trace/unpack_blocks.h"

#include <stdlib.h>
#include <string.h>

extern const char ours_as_theirs_sql[] __attribute__((visibility("hidden")));

static void create_views(struct database *database)
{
	static const struct {
		enum row_table table;
		const char *view;
	} views[] = {
		{TABLE_calls, "recorded_calls"},
		{TABLE_operations, "recorded_operations"},
		{TABLE_correlations, "our_correlations"},
		{TABLE_overheads, "our_overheads"},
		{TABLE_nvtx_ranges, "our_nvtx_ranges"},
		{TABLE_call_sites, "our_call_sites"},
		{TABLE_frames, "our_frames"},
		{TABLE_python_frames, "our_python_frames"},
		{TABLE_functions, "our_functions"},
		{TABLE_strings, "our_strings"},
		{TABLE_modules, "our_modules"},
		{TABLE_threads, "our_threads"},
		{TABLE_streams, "our_streams"},
		{TABLE_contexts, "our_contexts"},
		{TABLE_devices, "our_devices"},
		{TABLE_metadata, "our_metadata"},
	};

	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++)
		rows_create_view(database, views[i].table, "trace", views[i].view);
}

/* What is in rows and what is in blocks, as one. */
static void create_events(struct database *database, enum row_table table)
{
	const char *name = rows_table_name(table);
	char *sql = memory_format("CREATE TEMP TABLE %s AS SELECT * FROM recorded_%s WHERE 0;"
				  "CREATE TEMP VIEW our_%s AS SELECT * FROM recorded_%s"
				  " UNION ALL SELECT * FROM temp.%s",
				  name, name, name, name, name);

	database_run(database, sql);
	trace_unpack_rows(database, table);
	free(sql);
}

static void add_name(struct query *insert, const char *text)
{
	char *demangled = demangle(text, true), *cut;
	struct short_name shortened;

	short_name(&shortened, text, SHORT_NAME_KERNEL);
	cut = strchr(shortened.text, '<');
	if (cut && cut > shortened.text)
		*cut = '\0';
	query_bind_text(insert, ":text", text);
	query_bind_text(insert, ":demangled", demangled ? demangled : text);
	query_bind_text(insert, ":short", shortened.text);
	query_next(insert);
	free(demangled);
}

static void create_names(struct database *database)
{
	struct query names, insert;
	const char *text;

	database_run(database,
		     "CREATE TEMP TABLE names"
		     " (text TEXT PRIMARY KEY, demangled TEXT, short TEXT) WITHOUT ROWID");
	query_open(&insert, database, "names",
		   "INSERT OR IGNORE INTO names VALUES (:text, :demangled, :short)");
	query_open(&names, database, "strings",
		   "SELECT text FROM our_strings UNION"
		   " SELECT function FROM our_frames WHERE function IS NOT NULL");
	while (query_next(&names) && (text = query_optional_text(&names, 0)))
		add_name(&insert, text);
	query_close(&names);
	query_close(&insert);
}

static void create_facts(struct database *database, const struct exporting *exporting)
{
	int64_t end_ns = exporting->origin_ns;
	char *sql;

	for (size_t i = 0; i < exporting->trace->call_count; i++)
		if (exporting->trace->calls[i].end_ns > end_ns)
			end_ns = exporting->trace->calls[i].end_ns;
	for (size_t i = 0; i < exporting->trace->operation_count; i++)
		if (exporting->trace->operations[i].end_ns > end_ns)
			end_ns = exporting->trace->operations[i].end_ns;
	sql = memory_format("CREATE TEMP TABLE facts AS SELECT %lld AS origin_ns, %lld AS last_ns",
			    (long long)exporting->origin_ns, (long long)end_ns);
	database_run(database, sql);
	free(sql);
}

static char *write_file(const struct exporting *exporting, const char *path)
{
	struct database database;

	if (trace_metadata(exporting->trace, "recorder"))
		return memory_format("the trace is an export of Nsight Systems already");
	database_create(&database, path, exporting->trace->file);
	create_views(&database);
	create_events(&database, TABLE_calls);
	create_events(&database, TABLE_operations);
	create_names(&database);
	create_facts(&database, exporting);
	database_run(&database, ours_as_theirs_sql);
	database_commit(&database);
	return database_close(&database);
}

const struct exporter exporter_nsys = {
	.name = "nsys", .need = EXPORT_TIMES, .write_file = write_file};
