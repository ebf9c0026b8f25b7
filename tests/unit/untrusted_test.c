/*
 * Traces that somebody wrote to harm who reads them: each is refused in one line, or read as far as it
 * is harmless. What would not end shows as a test that does not.
 */
#include "build_trace.h"
#include "cmocka_test.h"
#include "test_folder.h"

#include "base/memory.h"
#include "trace/demangle.h"
#include "trace/trace.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void repeat(FILE *out, const char *text, int count)
{
	while (count-- > 0)
		fputs(text, out);
}

/* Levels of a type of two of the level before: 1p<A, A>, then p of two of these, ... */
static void write_doubling(FILE *out, int levels)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	fputs("1A1pIS_S_E", out); /* S_, S0_ and S1_: A, p and p<A, A> */
	for (int i = 1; i <= levels; i++)
		fprintf(out, "S0_IS%c_S%c_E", digits[i], digits[i]);
}

enum { LEVELS = 34 };

static char *doubling_name(const char *before, const char *after)
{
	char *name = NULL;
	size_t size;
	FILE *out = open_memstream(&name, &size);

	assert_non_null(out);
	fputs(before, out);
	write_doubling(out, LEVELS);
	fputs(after, out);
	fclose(out);
	return name;
}

static char *repeated_name(const char *before, const char *repeated, int count, const char *after)
{
	char *name = NULL;
	size_t size;
	FILE *out = open_memstream(&name, &size);

	assert_non_null(out);
	fputs(before, out);
	repeat(out, repeated, count);
	fputs(after, out);
	fclose(out);
	return name;
}

/* A name of a few hundred bytes can take libiberty for ever, or its stack. */
TEST_IN_FOLDER(test_names_that_never_end)
{
	char *const names[] = {
		doubling_name("_Z1f", ""),
		doubling_name("_Z1fDpF", "E"),
		doubling_name("_Z1fIJiEEvDpF", "E"),
		repeated_name("_ZN1AcvT_I", "T_I", 60, "i"),
		repeated_name("_ZN1A", "cvT_I", 60, "i"),
		repeated_name("_Z1f", "I", 300000, ""),
		repeated_name("_Z1f", "P", 300000, "i"),
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		assert_null(demangle(names[i], true));
		free(names[i]);
	}
}

enum { LONGEST_NAME = 8192 }; /* that is demangled */

static void use(char *name)
{
	void *memory;

	free(demangle(name, true));
	(void)demangle_tree(name, &memory);
	free(memory);
	free(name);
}

/* Of the kinds of names that take most stack for each character. */
static void *demangle_longest(void *unused)
{
	static const char *const repeated[] = {"P", "F", "FP", "1fI", "Z"};

	for (size_t i = 0; i < sizeof(repeated) / sizeof(*repeated); i++) {
		int count = (LONGEST_NAME - 7) / (int)strlen(repeated[i]);

		use(repeated_name("_Z1f", repeated[i], count, "i"));
		use(repeated_name("_Z1fDp", repeated[i], count, "i"));
	}
	return NULL;
}

TEST_IN_FOLDER(test_names_up_to_the_bound)
{
	char *name = repeated_name("_Z8185", "a", 8185, "v"), *plain = demangle(name, true);

	assert_int_equal(strlen(name), LONGEST_NAME);
	assert_int_equal(strlen(plain), 8185 + strlen("()"));
	free(plain);
	free(name);
	name = repeated_name("_Z8186", "a", 8186, "v");
	assert_null(demangle(name, true));
	free(name);
}

/* Threads have 2 MB where the limit of the stack is none. */
TEST_IN_FOLDER(test_long_names_fit_into_a_thread)
{
	pthread_attr_t small;
	pthread_t thread;

	assert_int_equal(pthread_attr_init(&small), 0);
	assert_int_equal(pthread_attr_setstacksize(&small, 2 << 20), 0);
	assert_int_equal(pthread_create(&thread, &small, demangle_longest, NULL), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	pthread_attr_destroy(&small);
}

TEST_IN_FOLDER(test_names_of_packs_and_conversions)
{
	static const struct {
		const char *name, *plain;
	} cases[] = {
		{"_Z1fIJifEEvDpT_", "void f<int, float>(int, float)"},
		{"_Z1fIJifEEvDpSt4pairIT_iE",
		 "void f<int, float>(std::pair<int, int>, std::pair<float, int>)"},
		{"_ZN1AcvT_IiEEv", "A::operator int<int>()"},
		{"_ZN2cv5cudev1fIJiEEEvDpT_", "void cv::cudev::f<int>(int)"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *plain = demangle(cases[i].name, true);

		assert_string_equal(plain, cases[i].plain);
		free(plain);
	}
}

/* What is wrong with the trace; malloc'ed. */
static char *load_error(void)
{
	struct trace *trace;
	char *error;

	trace = trace_load_counted(path, &error);
	assert_null(trace);
	assert_null(strchr(error, '\n'));
	return error;
}

static void check_refused(const char *sql, const char *expected)
{
	char *error;

	build_trace(path, "overlap.sql", NULL);
	change_trace(path, sql);
	error = load_error();
	if (!strstr(error, expected))
		fail_msg("%s: \"%s\" is not in \"%s\"", sql, expected, error);
	free(error);
}

TEST_IN_FOLDER(test_schemas_that_compute)
{
	check_refused(
		"DROP TABLE losses; CREATE VIEW losses AS WITH RECURSIVE n(n) AS (SELECT 1 UNION"
		" ALL SELECT n + 1 FROM n) SELECT n AS id, '' AS kind, n AS count, n AS time_ns,"
		" n AS thread_id, '' AS detail FROM n;",
		"losses");
	check_refused("DROP TABLE metadata; CREATE VIEW metadata AS SELECT 'k' AS key,"
		      " hex(zeroblob(400000000)) AS value;",
		      "metadata");
	check_refused("ALTER TABLE losses ADD COLUMN more TEXT AS (hex(zeroblob(id * 400000000)));",
		      "generated columns");
	check_refused("CREATE VIRTUAL TABLE search USING fts4(words);", "virtual tables");
	check_refused("INSERT INTO metadata VALUES ('long', hex(zeroblob(9000000)));", "too big");
}

/* Our own writes run nothing of the trace's. */
TEST_IN_FOLDER(test_triggers_stay_silent)
{
	const struct trace_note note = {"key", "value"};
	struct trace *trace;
	char *error;

	build_trace(path, "overlap.sql", NULL);
	change_trace(path,
		     "CREATE TRIGGER t AFTER INSERT ON metadata BEGIN DELETE FROM calls; END;");
	trace = trace_load(path, &error);
	assert_int_equal(trace_store_metadata(trace, &note, 1, &error), 0);
	trace_close(trace);
	trace = trace_load(path, &error);
	assert_int_equal(trace->call_count, 5);
	assert_string_equal(trace_metadata(trace, "key"), "value");
	trace_close(trace);
}

static void put(unsigned char *at, uint32_t value, int bytes)
{
	while (bytes-- > 0)
		*at++ = (unsigned char)(value >> 8 * bytes);
}

/* Makes a page of the file a node of a tree of which all children are one page. */
static void write_node(unsigned char *page, size_t page_bytes, uint32_t child)
{
	const size_t cell = page_bytes - 5, children = (page_bytes - 12) / 7;

	memset(page, 0, page_bytes);
	page[0] = 5; /* an interior page of a table */
	put(page + 3, (uint32_t)children, 2);
	put(page + 5, (uint32_t)cell, 2);
	put(page + 8, child, 4);
	for (size_t i = 0; i < children; i++)
		put(page + 12 + 2 * i, (uint32_t)cell, 2);
	put(page + cell, child, 4);
	page[cell + 4] = 1;
}

static uint32_t root_page(const char *table)
{
	char *sql = memory_format("SELECT rootpage FROM sqlite_schema WHERE name = '%s'", table);
	sqlite3_stmt *statement;
	sqlite3 *database;
	uint32_t page;

	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	page = (uint32_t)sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(database);
	free(sql);
	return page;
}

/* Levels of nodes between a table's root and its one page of rows: SQLite finds more rows than there
 * are atoms. */
static void multiply_rows(const char *table)
{
	enum { NODES = 15 };
	uint32_t root = root_page(table), pages;
	unsigned char *bytes;
	size_t size, page_bytes;
	char *old = read_file(path, &size);

	page_bytes = (size_t)(unsigned char)old[16] << 8 | (unsigned char)old[17];
	pages = (uint32_t)(size / page_bytes);
	bytes = memory_array(size + (NODES + 1) * page_bytes, 1);
	memcpy(bytes, old, size);
	for (uint32_t i = 0; i < NODES; i++)
		write_node(bytes + size + i * page_bytes, page_bytes, pages + i + 2);
	memcpy(bytes + size + NODES * page_bytes, bytes + (root - 1) * page_bytes, page_bytes);
	write_node(bytes + (root - 1) * page_bytes, page_bytes, pages + 1);
	put(bytes + 28, pages + NODES + 1, 4);
	write_file(path, bytes, size + (NODES + 1) * page_bytes);
	free(bytes);
	free(old);
}

TEST_IN_FOLDER(test_pages_that_never_end)
{
	/* Read in ranges, read by rows, and only counted. */
	static const char *const tables[] = {"operations", "losses", "clock_samples"};
	static const char *const expected[] = {"duplicate", "more rows than fit",
					       "more rows than fit"};
	char *error;

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		build_trace(path, "overlap.sql",
			    "DELETE FROM losses; INSERT INTO losses (kind, count, time_ns) VALUES"
			    " ('ring-overflow', 1, 1);"
			    "INSERT INTO clock_samples VALUES (1, 1);");
		multiply_rows(tables[i]);
		error = load_error();
		if (!strstr(error, expected[i]))
			fail_msg("%s: \"%s\" is not in \"%s\"", tables[i], expected[i], error);
		free(error);
	}
}

TEST_IN_FOLDER(test_pipes)
{
	static const char *const endings[] = {"-journal", "-wal", "-shm"};
	char pipe[300], *sql, *error;
	struct trace *trace;

	build_trace(path, "overlap.sql", NULL);
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		snprintf(pipe, sizeof(pipe), "%s%s", path, endings[i]);
		assert_int_equal(mkfifo(pipe, 0600), 0);
		error = load_error();
		assert_non_null(strstr(error, "is not a regular file"));
		free(error);
		assert_int_equal(remove(pipe), 0);
	}
	snprintf(pipe, sizeof(pipe), "%s/pipe", folder);
	assert_int_equal(mkfifo(pipe, 0600), 0);
	sql = memory_format("UPDATE modules SET path = '%s';"
			    "UPDATE frames SET file = NULL, function = NULL, line = NULL",
			    pipe);
	change_trace(path, sql);
	free(sql);
	trace = trace_load(path, &error);
	assert_non_null(trace);
	trace_resolve_sites(trace);
	trace_close(trace);
}

RUN_TESTS(NULL, NULL)
