/* Traces, exports of Nsight Systems and summaries. */
#include "targets.h"

#include "build_trace.h"
#include "checks.h"
#include "edits.h"
#include "outputs.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "export/exporters.h"
#include "trace/trace_private.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *folder, *file;

static void make_file(void)
{
	const char *memory = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";

	folder = memory_format("%s/streamtrace-fuzz-XXXXXX", memory);
	fuzz_require(mkdtemp(folder) != NULL, "mkdtemp", folder);
	file = memory_format("%s/trace.db", folder);
	parallel_limit(1);
}

static void remove_file(void)
{
	remove_folder(folder);
}

/* As `report` reads; one row after the other; in small ranges of rows. */
enum { READ, READ_STRICTLY, READ_IN_SHARDS, READ_AND_COMPARE, WAYS };

static struct trace *load(int way, char **error)
{
	static const struct load_options strict = {.is_strict = true};
	static const struct load_options shards = {.shard_ids = 3, .connection_bytes = 65536};

	return way == READ_STRICTLY    ? trace_load_as(file, &strict, error)
	       : way == READ_IN_SHARDS ? trace_load_as(file, &shards, error)
				       : trace_load(file, error);
}

/* The other way reads the same, or says the same. */
static void compare(const struct trace *trace, const char *error)
{
	char *strict_error = NULL;
	struct trace *strict = load(READ_STRICTLY, &strict_error);

	fuzz_require(!trace == !strict, "read differently", trace ? strict_error : error);
	fuzz_require(trace || !strcmp(error, strict_error), error, strict_error);
	if (trace) {
		fuzz_require(trace->call_count == strict->call_count, "calls", "differ");
		fuzz_require(trace->operation_count == strict->operation_count, "operations",
			     "differ");
	}
	trace_close(strict);
	free(strict_error);
}

static void read_trace(int way, uint8_t choice)
{
	char *error = NULL;
	struct trace *trace = load(way, &error);

	if (way == READ_AND_COMPARE)
		compare(trace, error);
	if (!trace) {
		fuzz_check_error(error);
		return;
	}
	fuzz_use_trace(trace, choice);
	trace_close(trace);
}

static void change_and_read(struct pattern *pattern, struct input input)
{
	uint8_t way = input_byte(&input) % WAYS, choice = input_byte(&input);
	unsigned char *bytes;
	size_t size;

	bytes = pattern_change(pattern, input, &size);
	unlink(file);
	write_file(file, bytes, size);
	free(bytes);
	read_trace(way, choice);
}

static struct pattern *make_pattern(const char *path)
{
	size_t size;
	char *bytes = read_file(path, &size);
	struct pattern *pattern = pattern_make(bytes, size);

	free(bytes);
	return pattern;
}

/* Files of tests/: a trace with something in every table, and some that there is much to say of. */
static const struct {
	const char *file, *before; /* behind that one */
} trace_files[] = {
	{"fuzz/tables.sql", "cli/overlap.sql"},
	{"cli/job_steps.sql", "support/prelude.sql"},
	{"cli/export.sql", NULL},
	{"detectors/graph-rebuild/steps.sql", "support/prelude.sql"},
};

#define TRACES (sizeof(trace_files) / sizeof(*trace_files))

static struct pattern *traces[TRACES];

static char *read_sql(const char *name)
{
	char *path = memory_format("%s/%s", TESTS_FOLDER, name), *text = read_case(path);

	free(path);
	return text;
}

/* job_steps.sql makes the rank that the table of that name says. */
static void build(size_t index)
{
	const char *first = trace_files[index].before;
	char *before = first ? read_sql(first) : memory_format("%s", "");
	char *rows = read_sql(trace_files[index].file);
	char *sql = memory_format(
		"%s CREATE TABLE rank AS SELECT 0 rank, 4100 process, 30 copy, 10 other;"
		"%s; DROP TABLE IF EXISTS rank",
		before, rows);

	build_trace(file, NULL, sql);
	free(sql);
	free(rows);
	free(before);
}

void fuzz_set_up_trace(void)
{
	make_file();
	for (size_t i = 0; i < TRACES; i++) {
		build(i);
		traces[i] = make_pattern(file);
	}
	atexit(remove_file);
}

void fuzz_run_trace(const uint8_t *bytes, size_t size)
{
	struct input input = {bytes, size};
	uint8_t which = input_byte(&input);

	change_and_read(traces[which % TRACES], input);
}

/* Exports of Nsight Systems: our own one, and one with what host threads did, whose inputs begin with
 * this byte. */
#define OF_HOST 0xfe

static struct pattern *import, *host_import;

static void build_host_import(const char *path)
{
	char *rows = read_sql("cli/nsys_host.sql"), *samples = read_sql("fuzz/host_samples.sql");
	char *sql = memory_format("%s%s", rows, samples);

	unlink(path);
	change_trace(path, sql);
	host_import = make_pattern(path);
	free(sql);
	free(samples);
	free(rows);
}

void fuzz_set_up_import(void)
{
	char *error, *theirs;
	struct trace *trace;

	/* The import's views are parsed with memory of these sizes: as much of it as SQLite does not malloc(). */
	sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 512, 4000);
	make_file();
	build(0);
	theirs = memory_format("%s/theirs.db", folder);
	trace = trace_load(file, &error);
	fuzz_require(trace != NULL, "tables.sql", trace ? "" : error);
	write_file(theirs, "", 0);
	error = exporter_nsys.write_file(&(struct exporting){.trace = trace}, theirs);
	fuzz_require(!error, "nsys", error ? error : "");
	trace_close(trace);
	import = make_pattern(theirs);
	build_host_import(theirs);
	free(theirs);
	atexit(remove_file);
}

void fuzz_run_import(const uint8_t *bytes, size_t size)
{
	struct input input = {bytes, size};

	if (size && bytes[0] == OF_HOST) {
		input_byte(&input);
		change_and_read(host_import, input);
	} else {
		change_and_read(import, input);
	}
}

/* Rank 0 of a job, changed, and rank 1 as it is. */
static struct pattern *summary;
static void *other;
static size_t other_size;

static void *make_summary(const char *sql, size_t *size)
{
	struct analysis *analysis;
	struct summary *of_trace;
	struct trace *trace;
	char *error = NULL;
	void *bytes;

	build(1);
	change_trace(file, sql);
	trace = trace_load(file, &error);
	fuzz_require(trace != NULL, "job_steps.sql", error ? error : "");
	analysis = analysis_run(trace);
	of_trace = summary_of_analysis(trace, analysis);
	bytes = summary_to_bytes(of_trace, size, &error);
	fuzz_require(bytes != NULL, "summary", error ? error : "");
	summary_free(of_trace);
	analysis_free(analysis);
	trace_close(trace);
	return bytes;
}

void fuzz_set_up_summary(void)
{
	size_t size;
	void *bytes;

	make_file();
	other = make_summary("UPDATE metadata SET value = '1' WHERE key = 'rank';"
			     "UPDATE metadata SET value = '4101' WHERE key = 'process_id';"
			     "UPDATE communicators SET rank = 1",
			     &other_size);
	bytes = make_summary("", &size);
	summary = pattern_make(bytes, size);
	free(bytes);
	atexit(remove_file);
}

/* Read from a file, too: `report FOLDER` reads the facts of each first. */
static void read_facts(const void *bytes, size_t size)
{
	struct summary *facts;
	char *error = NULL;

	unlink(file);
	write_file(file, bytes, size);
	facts = summary_read_facts(file, &error);
	if (!facts)
		fuzz_check_error(error);
	summary_free(facts);
}

void fuzz_run_summary(const uint8_t *bytes, size_t size)
{
	static const char *const formats[] = {
#define FORMAT(name, meaning, of_report, of_job, ...) of_job(#name, )
#include "render/output_formats.def"
#undef FORMAT
	};
	struct input input = {bytes, size};
	uint8_t choice = input_byte(&input);
	struct summary *changed;
	char *error = NULL;
	struct job *job;
	size_t changed_size;
	unsigned char *changed_bytes = pattern_change(summary, input, &changed_size);

	if (choice & 8)
		read_facts(changed_bytes, changed_size);
	changed = summary_from_bytes(changed_bytes, changed_size, &error);
	job = changed ? job_of_summary(changed) : job_of_unread("a.db", error);
	if (choice & 4) {
		free(error);
		changed = summary_from_bytes(other, other_size, &error);
		fuzz_require(changed != NULL, "the other", error ? error : "");
		job = job_merge(job, job_of_summary(changed));
	}
	fuzz_print_job(job, formats[choice % (sizeof(formats) / sizeof(*formats))]);
	free(error);
	free(changed_bytes);
}
