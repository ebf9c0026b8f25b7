/* Exports of Nsight Systems, read as traces: small ones made by hand. */
#include "base/memory.h"
#include "build_trace.h"
#include "cmocka_test.h"
#include "test_folder.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each wrapped call and each driver call that CUPTI reports, with the class that libstrace.so gives it. */
static const struct {
	const char *name, *class;
} functions[] = {
#define CALL(name, variant, class, parameters, arguments, keep) {#name, #class},
#include "preload/api/calls.def"
#undef CALL
#define DRIVER(name, cbid, variant, class, keep) {#name, #class},
#include "preload/api/driver_calls.def"
#undef DRIVER
};

#define FUNCTIONS (sizeof(functions) / sizeof(*functions))

static enum function_class class_of(const char *name)
{
	static const struct {
		const char *name;
		enum function_class class;
	} classes[] = {
#define FUNCTION_CLASS(name, symbol, word, makes_operations, is_hot) {#name, CLASS_##symbol},
#include "facts/function_classes.def"
#undef FUNCTION_CLASS
	};

	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (!strcmp(classes[i].name, name))
			return classes[i].class;
	return CLASS_OTHER;
}

/* What every export has, and calls: the least. */
static void make_export(const char *sql)
{
	unlink(path);
	change_trace(path, "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
			   "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);"
			   "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER,"
			   " eventClass INTEGER, globalTid INTEGER, correlationId INTEGER,"
			   " nameId INTEGER, returnValue INTEGER);");
	change_trace(path, sql);
}

static struct trace *load(void)
{
	char *error = NULL;
	struct trace *trace = trace_load(path, &error);

	if (!trace)
		fail_msg("%s", error);
	return trace;
}

/* Their names are those of ours with a version behind; the classes must be ours. */
TEST_IN_FOLDER(test_classes)
{
	static const char *const endings[] = {"_v12030", "_ptsz_v7000", ""};
	struct trace *trace;
	size_t size;
	char *sql;
	FILE *out = open_memstream(&sql, &size);

	fputs("BEGIN;", out);
	for (size_t i = 0; i < FUNCTIONS; i++)
		fprintf(out,
			"INSERT INTO StringIds VALUES (%zu, '%s%s');"
			"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES"
			" (%zu, %zu, 0, 281474976710656, %zu, %zu, 0);",
			i, functions[i].name, endings[i % 3], 10 * i, 10 * i + 5, i, i);
	fputs("COMMIT", out);
	fclose(out);
	make_export(sql);
	free(sql);
	trace = load();
	assert_int_equal(trace->call_count, FUNCTIONS);
	for (size_t i = 0; i < FUNCTIONS; i++) {
		const struct trace_call_form *form = trace->calls[i].form;

		assert_string_equal(form->function->name, functions[i].name);
		if (form->function->class != class_of(functions[i].class))
			fail_msg("%s is not %s", functions[i].name, functions[i].class);
		assert_int_equal(form->per_thread_stream, i % 3 == 1);
	}
	trace_close(trace);
}

/* A call in a call is a part of it, and what it enqueued is the outer one's. */
TEST_IN_FOLDER(test_nested)
{
	struct trace *trace;

	make_export("INSERT INTO StringIds VALUES (1, 'cudaMemcpyAsync_v3020'), (2, "
		    "'cuMemcpyHtoDAsync_v2');"
		    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES"
		    " (100, 200, 0, 281474976710656, 1, 1, 0),"
		    " (110, 190, 1, 281474976710656, 2, 2, 0),"
		    " (120, 180, 1, 281474976710657, 3, 2, 0),"
		    " (200, 250, 0, 281474976710656, 4, 1, 0);"
		    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId "
		    "INTEGER,"
		    " contextId INTEGER, streamId INTEGER, correlationId INTEGER, bytes INTEGER,"
		    " copyKind INTEGER, srcKind INTEGER, dstKind INTEGER);"
		    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (150, 170, 0, 1, 7, 2, 64, 1, "
		    "0, 2);");
	trace = load();
	assert_int_equal(trace->call_count, 3);
	assert_int_equal(trace->operation_count, 1);
	assert_ptr_equal(trace->operations[0].call, &trace->calls[0]);
	assert_int_equal(trace->calls[0].start_ns, 100);
	assert_int_equal(trace->operations[0].form->src_kind, MEMORY_PAGEABLE);
	assert_int_equal(trace->operations[0].form->dst_kind, MEMORY_DEVICE);
	assert_int_equal(trace->operations[0].form->engine, ENGINE_H2D);
	trace_close(trace);
}

/* By default Nsight Systems records a graph's launch as a whole. */
TEST_IN_FOLDER(test_whole_graphs)
{
	struct trace *trace;

	make_export(
		"INSERT INTO StringIds VALUES (1, 'cudaGraphLaunch_v10000'), (2, 'cuLaunchKernel');"
		"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES"
		" (100, 200, 0, 281474976710656, 1, 1, 0), (200, 210, 1, 281474976710656, 2, 2, 0);"
		"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId "
		"INTEGER,"
		" contextId INTEGER, streamId INTEGER, correlationId INTEGER);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (500, 600, 0, 1, 7, 2);"
		"CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, "
		"deviceId INTEGER,"
		" contextId INTEGER, greenContextId INTEGER, streamId INTEGER, correlationId "
		"INTEGER,"
		" globalPid INTEGER, graphId INTEGER, graphExecId INTEGER);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES"
		" (150, 400, 0, 1, NULL, 7, 1, 281474976710656, 1, 2);");
	trace = load();
	assert_int_equal(trace->operation_count, 2);
	assert_true(trace->operations[0].form->is_graph);
	assert_int_equal(trace->operations[0].end_ns, 400);
	assert_ptr_equal(trace->operations[0].call, &trace->calls[0]);
	assert_false(trace->operations[1].form->is_graph);
	trace_close(trace);
}

/* Of several processes the one with the most operations; times from the session's start. */
TEST_IN_FOLDER(test_processes)
{
	struct trace *trace;

	make_export(
		"INSERT INTO StringIds VALUES (1, 'cuLaunchKernel'), (2, 'scale');"
		"CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);"
		"INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1000000);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES"
		" (100, 110, 1, (1 << 48) + (5 << 24) + 5, 1, 1, 0),"
		" (100, 110, 1, (1 << 48) + (6 << 24) + 7, 1, 1, 0),"
		" (120, 130, 1, (1 << 48) + (6 << 24) + 7, 2, 1, 0);"
		"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId "
		"INTEGER,"
		" contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,"
		" demangledName INTEGER);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES"
		" (115, 140, 0, 1, 7, 1, (1 << 48) + (5 << 24), 2),"
		" (115, 140, 0, 1, 7, 1, (1 << 48) + (6 << 24), 2),"
		" (140, 160, 0, 1, 7, 2, (1 << 48) + (6 << 24), 2);");
	trace = load();
	assert_int_equal(trace->call_count, 2);
	assert_int_equal(trace->operation_count, 2);
	assert_int_equal(trace->calls[0].form->thread_id, 7);
	assert_int_equal(trace->calls[0].start_ns, 1000100);
	assert_string_equal(trace_metadata(trace, "process_id"), "6");
	assert_string_equal(trace_metadata(trace, "nsys_processes"), "2");
	assert_int_equal(trace->operations[0].form->stream->flag, STREAM_NULL);
	trace_close(trace);
}

static void check_refused(const char *sql, const char *expected)
{
	char *error = NULL;

	make_export(sql);
	assert_null(trace_load(path, &error));
	if (!strstr(error, expected) || strchr(error, '\n'))
		fail_msg("'%s' where '%s' is expected", error, expected);
	free(error);
}

/* Of an untrusted file: one line that says what is wrong, and no number out of range. */
TEST_IN_FOLDER(test_hostile)
{
	check_refused("INSERT INTO StringIds VALUES (1, 'cudaFree');"
		      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (9, 3, 0, 0, 1, 1, 0)",
		      "table calls, row 1");
	check_refused("INSERT INTO StringIds VALUES (1, 'cudaFree');"
		      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES"
		      " (9223372036854775806, 9223372036854775807, 0, 0, 1, 1, 0)",
		      "out of range");
	check_refused("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES ('now', 3, 0, 0, 1, 77, 0)",
		      "table calls");
	check_refused("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 3, 0, 0, 1, 77, 0)",
		      "functions has no row 77");
	check_refused("CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs);"
		      "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (9223372036854775807);"
		      "INSERT INTO StringIds VALUES (1, 'cudaFree');"
		      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 3, 0, 0, 1, 1, 0)",
		      "table calls");
}

/* A trace's command that writes leaves it alone. */
TEST_IN_FOLDER(test_read_only)
{
	const struct trace_note note = {"key", "value"};
	struct trace *trace;
	char *error = NULL;

	make_export("");
	trace = load();
	assert_int_equal(trace_store_metadata(trace, &note, 1, &error), -1);
	assert_non_null(strstr(error, "only read"));
	free(error);
	trace_close(trace);
}

/* Ranges with texts of their own, or that were registered; of two domains, and of another process. */
TEST_IN_FOLDER(test_ranges)
{
	struct trace *trace;

	make_export(
		"INSERT INTO StringIds VALUES (1, 'cudaFree_v3020'), (2, 'registered');"
		"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES"
		" (100, 200, 0, 281474976710657, 1, 1, 0);"
		"CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, color"
		" INTEGER, text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER);"
		"INSERT INTO NVTX_EVENTS VALUES (1, NULL, 75, 0, 'lib', 281474976710657, NULL, 3),"
		" (50, 300, 59, NULL, 'outer', 281474976710657, NULL, 0),"
		" (60, 290, 59, -1, NULL, 281474976710657, 2, 3),"
		" (70, NULL, 60, NULL, 'outer', 281474976710658, NULL, 0),"
		" (80, 80, 34, NULL, 'a mark', 281474976710657, NULL, 0),"
		" (85, 280, 59, NULL, 'Holding GIL', 281474976710657, NULL, 0),"
		" (90, 95, 59, NULL, 'of another process', 281474993487873, NULL, 0)");
	trace = load();
	assert_int_equal(trace->range_count, 3);
	assert_string_equal(trace_range_of(trace, trace->calls)->name, "registered");
	assert_string_equal(trace_range_of(trace, trace->calls)->domain, "lib");
	assert_true(trace->ranges[1].has_color && trace->ranges[1].color == UINT32_MAX);
	assert_string_equal(trace->ranges[0].name, "outer");
	assert_null(trace->ranges[0].domain);
	assert_true(trace->ranges[2].is_open && !trace->ranges[2].is_pushed);
	trace_close(trace);
}

/* They store a stream's priority unsigned. */
TEST_IN_FOLDER(test_priorities)
{
	struct trace *trace;

	make_export("CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER, processId INTEGER,"
		    " contextId INTEGER, priority INTEGER, flag INTEGER);"
		    "INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (13, 0, 1, 4294967291, 2),"
		    " (14, 0, 1, 2147483648, 2), (15, 0, 1, 2147483647, 2), (16, 0, 1, 0, 2);"
		    "INSERT INTO StringIds VALUES (1, 'cudaFree_v3020');"
		    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 200, 0, 7, 1, 1, 0);");
	trace = load();
	assert_int_equal(trace->stream_count, 4);
	assert_int_equal(trace->streams[0].priority, -5);
	assert_int_equal(trace->streams[1].priority, INT32_MIN);
	assert_int_equal(trace->streams[2].priority, INT32_MAX);
	assert_int_equal(trace->streams[3].priority, 0);
	trace_close(trace);
}

#define HOST_TABLES                                                                                \
	"INSERT INTO StringIds VALUES (1, 'cudaFree'), (2, 'first'), (3, 'second'), (4, '/app'),"  \
	" (5, 'pthread_mutex_lock'), (6, 'poll'), (7, 'waitpid'), (8, 'mmap64'), (9, 'fsck');"     \
	"CREATE TABLE SCHED_EVENTS (start, isSchedIn, globalTid, threadState);"                    \
	"CREATE TABLE OSRT_API (start, end, globalTid, nameId, callchainId);"                      \
	"CREATE TABLE OSRT_CALLCHAINS (id, symbol, module, stackDepth);"                           \
	"CREATE TABLE COMPOSITE_EVENTS (id INTEGER PRIMARY KEY, start, globalTid);"                \
	"CREATE TABLE SAMPLING_CALLCHAINS (id, symbol, module, originalIP, stackDepth);"           \
	"INSERT INTO OSRT_CALLCHAINS VALUES (1, 3, 4, 0);"

/* Times are made of us, the threads' ids of the process. */
#define MAKE_TIMES                                                                                 \
	"UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET start = start * 1000, end = end * 1000,"           \
	" globalTid = globalTid + 281474976710656;"                                                \
	"UPDATE SCHED_EVENTS SET start = start * 1000, globalTid = globalTid + 281474976710656;"   \
	"UPDATE OSRT_API SET start = start * 1000, end = end * 1000,"                              \
	" globalTid = globalTid + 281474976710656;"                                                \
	"UPDATE COMPOSITE_EVENTS SET start = start * 1000,"                                        \
	" globalTid = globalTid + 281474976710656;"                                                \
	"INSERT INTO SAMPLING_CALLCHAINS SELECT id, 2 + id % 2, 4, id, 0 FROM COMPOSITE_EVENTS;"

struct expected_state {
	uint32_t thread_id, looks;
	int64_t start_us, end_us, ready_us;
	enum host_state state;
	const char *name, *function; /* NULL: none */
};

static bool are_same(const char *text, const char *expected)
{
	return text && expected ? !strcmp(text, expected) : text == expected;
}

static void check_states(const char *sql, const struct expected_state *expected, size_t count)
{
	struct trace *trace;
	char *all = memory_format("%s%s%s", HOST_TABLES, sql, MAKE_TIMES);

	make_export(all);
	free(all);
	trace = load();
	for (size_t i = 0; i < count && i < trace->host_state_count; i++) {
		const struct trace_host_state *state = &trace->host_states[i];

		assert_int_equal(state->thread_id, expected[i].thread_id);
		assert_int_equal(state->start_ns, expected[i].start_us * 1000);
		assert_int_equal(state->end_ns, expected[i].end_us * 1000);
		assert_int_equal(state->state, expected[i].state);
		assert_int_equal(state->looks, expected[i].looks);
		assert_int_equal(state->ready_ns, expected[i].ready_us * 1000);
		if (!are_same(state->name, expected[i].name))
			fail_msg("state %zu: %s", i, state->name);
		if (!are_same(state->site ? state->site->frames[0].function : NULL,
			      expected[i].function))
			fail_msg("state %zu: not in %s", i, expected[i].function);
	}
	assert_int_equal(trace->host_state_count, count);
	/* Samples at other instructions of a function have its stack. */
	assert_true(trace->site_count <= 2);
	assert_int_equal(trace->is_looked_at, expected[0].state == HOST_STATE_RUNNING);
	trace_close(trace);
}

#define CHECK_STATES(sql, ...)                                                                     \
	check_states(sql, (const struct expected_state[]){__VA_ARGS__},                            \
		     sizeof((const struct expected_state[]){__VA_ARGS__}) /                        \
			     sizeof(struct expected_state))

/* Of what overlaps the wait counts, of waits the first; samples in calls say nothing of the time behind. */
TEST_IN_FOLDER(test_host_states)
{
	CHECK_STATES(
		"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 200, 0, 1, 1, 1, 0),"
		" (1000, 1100, 0, 1, 2, 1, 0);"
		/* Off the processor in the mutex, ready to run, and for no known reason. */
		"INSERT INTO SCHED_EVENTS VALUES (0, 1, 1, NULL), (310, 0, 1, 2), (390, 1, 1, "
		"NULL),"
		" (500, 0, 1, 1), (530, 1, 1, NULL), (600, 0, 1, 2), (700, 1, 1, NULL),"
		" (800, 0, 1, 3), (815, 1, 1, NULL);"
		/* Another in it, one that is too short, and one of another thread. */
		"INSERT INTO OSRT_API VALUES (300, 400, 1, 5, 1), (320, 380, 1, 6, 0),"
		" (450, 460, 1, 6, 0), (50, 90, 2, 7, 0), (90, 120, 2, 8, 0), (120, 150, 2, 9, 0),"
		" (130, 170, 2, 7, 0);"
		"INSERT INTO COMPOSITE_EVENTS VALUES (2, 50, 1), (3, 150, 1), (5, 250, 1),"
		" (6, 270, 1), (8, 350, 1), (10, 560, 1), (12, 650, 1);",
		{1, 1, 0, 150, 0, HOST_STATE_RUNNING, NULL, "first"},
		{1, 1, 200, 270, 0, HOST_STATE_RUNNING, NULL, "second"},
		{1, 1, 270, 300, 0, HOST_STATE_RUNNING, NULL, "first"},
		{1, 1, 300, 400, 0, HOST_STATE_THREAD, "mutex", "second"},
		{1, 1, 400, 600, 30, HOST_STATE_RUNNING, NULL, "first"},
		{1, 1, 700, 1100, 0, HOST_STATE_RUNNING, NULL, NULL},
		{2, 1, 50, 90, 0, HOST_STATE_CHILD, NULL, NULL},
		{2, 1, 90, 120, 0, HOST_STATE_KERNEL, "mmap", NULL},
		{2, 1, 120, 150, 0, HOST_STATE_KERNEL, "fsck", NULL}, );
}

/* Without switches threads run around their samples, which lie 100 us apart: 75 us to each side. */
TEST_IN_FOLDER(test_host_states_of_samples)
{
	CHECK_STATES("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (900, 1000, 0, 1, 1, 1, 0);"
		     "INSERT INTO OSRT_API VALUES (630, 900, 1, 6, 0);"
		     "INSERT INTO COMPOSITE_EVENTS VALUES (2, 100, 1), (4, 200, 1), (5, 300, 1),"
		     " (6, 600, 1), (8, 700, 1), (9, 950, 1), (11, 1050, 1);",
		     {1, 2, 25, 300, 0, HOST_STATE_RUNNING, NULL, "first"},
		     {1, 1, 300, 375, 0, HOST_STATE_RUNNING, NULL, "second"},
		     {1, 1, 525, 630, 0, HOST_STATE_RUNNING, NULL, "first"},
		     {1, 1, 630, 900, 0, HOST_STATE_INPUT, "several", NULL},
		     {1, 1, 1000, 1125, 0, HOST_STATE_RUNNING, NULL, "second"}, );
}

/* Then nobody has looked at what threads did that ran. */
TEST_IN_FOLDER(test_host_states_of_waits)
{
	CHECK_STATES("INSERT INTO OSRT_API VALUES (630, 900, 1, 6, 1);"
		     "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (900, 1000, 0, 1, 1, 1, 0);",
		     {1, 1, 630, 900, 0, HOST_STATE_INPUT, "several", "second"}, );
}

/* Where calls without a call chain were made: as seen in them, behind the frames in CUDA's libraries. */
TEST_IN_FOLDER(test_sampled_sites)
{
	/* By call; NULL: no site. */
	static const char *const expected[] = {"second", "first", NULL, NULL, "second"};
	struct trace *trace;

	make_export(
		HOST_TABLES
		"INSERT INTO StringIds VALUES (10, '/usr/lib/libcuda.so.1'), (11, 'poll');"
		/* The third has no sample, the fourth one without frames in CUDA's libraries. */
		"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 90000, 0, 1, 1, 1, 0),"
		" (100000, 190000, 0, 1, 2, 1, 0), (200000, 290000, 0, 1, 3, 1, 0),"
		" (300000, 390000, 0, 1, 4, 1, 0), (400000, 490000, 0, 1, 5, 1, 0),"
		" (410000, 480000, 0, 1, 6, 1, 0);"
		"DELETE FROM OSRT_CALLCHAINS;"
		"INSERT INTO OSRT_CALLCHAINS VALUES (7, 11, 4, 0), (7, 1, 10, 1), (7, 2, 4, 2);"
		"INSERT INTO OSRT_API VALUES (110000, 185000, 1, 6, 7);"
		"INSERT INTO COMPOSITE_EVENTS VALUES (1, 50000, 1), (2, 350000, 1), (3, 420000, 1);"
		"INSERT INTO SAMPLING_CALLCHAINS VALUES (1, 11, 4, 5, 0), (1, 1, 10, 6, 1),"
		" (1, 3, 4, 7, 2), (1, 2, 4, 8, 3), (2, 2, 4, 9, 0), (3, 1, 10, 10, 0),"
		" (3, 3, 4, 7, 1), (3, 2, 4, 8, 2);");
	trace = load();
	assert_int_equal(trace->call_count, 5);
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_site *site = trace->calls[i].form->site;

		if (!are_same(site ? site->frames[0].function : NULL, expected[i]))
			fail_msg("call %zu: %s", i, site ? site->frames[0].function : "none");
	}
	/* The same caller behind different frames of the libraries. */
	assert_ptr_equal(trace->calls[0].form->site, trace->calls[4].form->site);
	assert_int_equal(trace->calls[0].form->site->depth, 2);
	trace_close(trace);
}

RUN_TESTS(NULL, NULL)
