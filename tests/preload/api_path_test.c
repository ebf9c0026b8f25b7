/*
 * Every API path into CUDA, with the stand-ins: what is called through it is traced, each call once
 * and each operation with its call, and the program behaves as it does untraced. Prints a table.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "cmocka_test.h"
#include "preload_run.h"

/* As api_path_work.c and api_path_driver.c make them. */
static const struct {
	const char *class;
	int count;
} work_calls[] = {
	{"stream-create", 1},
	{"event-create", 1},
	{"alloc", 2},
	{"host-alloc", 1},
	{"register", 1},
	{"copy", 2},
	{"launch", 1},
	{"set", 1},
	{"free", 2},
	{"event-record", 1},
	{"event-sync", 1},
	{"event-query", 1},
	{"stream-wait-event", 1},
	{"stream-sync", 1},
	{"stream-query", 1},
	{"device-sync", 1},
	{"unregister", 1},
	{"host-free", 1},
	{"event-destroy", 1},
	{"stream-destroy", 1},
};
enum { WORK_CALLS = 23, WORK_OPERATIONS = 4 };

#define PLUGIN(name) API_PATH_FOLDER "/api_path_" name ".so"

/* works: how often the work is done by calls that a wrapper sees, and by others. */
struct api_path {
	const char *name, *program, *arguments;
	int wrapped_works, driver_works;
	const char *out;
};

static const struct api_path api_paths[] = {
	{"shared cudart", APP_PATH, "own", 1, 0, ""},
	{"shared cudart 12", APP_12_PATH, "own", 1, 0, ""},
	{"legacy launch", HOST_PATH, "local:" PLUGIN("legacy_launch"), 1, 0, ""},
	{"per-thread default stream", HOST_PATH, "local:" PLUGIN("per_thread"), 1, 0, ""},
	{"RTLD_LOCAL", HOST_PATH, "local:" PLUGIN("13"), 1, 0, ""},
	{"two majors, 12 last", APP_PATH, "own local:" PLUGIN("12"), 2, 0, "front 23\n"},
	{"two majors, 12 first", HOST_PATH, "local:" PLUGIN("12") " local:" PLUGIN("13"), 2, 0,
	 "front 23\n"},
	{"RTLD_DEEPBIND", HOST_PATH, "deep:" PLUGIN("13"), 0, 1, ""},
	{"both of these", APP_PATH, "own deep:" PLUGIN("13") " own", 2, 1, ""},
	{"static cudart", HOST_PATH, "local:" PLUGIN("static"), 0, 1, ""},
	{"no version", APP_PATH, "local:" PLUGIN("unversioned"), 0, 1, ""},
	{"dlsym(handle)", HOST_PATH, "handle:" PLUGIN("by_name"), 0, 1, ""},
	{"dlsym(RTLD_DEFAULT)", APP_PATH, "default:" PLUGIN("by_name"), 0, 1, ""},
	{"dlsym(RTLD_NEXT)", APP_PATH, "next:" PLUGIN("by_name"), 0, 1, ""},
	{"driver API", HOST_PATH, "local:" PLUGIN("driver"), 0, 1, ""},
	{"runtime and driver API", APP_PATH, "own local:" PLUGIN("driver"), 1, 1, ""},
};

/* A libcupti of either major can be found; the rest is the program's own. */
static const char *const folders[] = {"LD_LIBRARY_PATH=" FAKE_FOLDER ":" FAKE_12_CUPTI_FOLDER,
				      NULL};
static const char *const folders_12[] = {
	"LD_LIBRARY_PATH=" FAKE_12_FOLDER ":" FAKE_FOLDER ":" FAKE_12_CUPTI_FOLDER, NULL};

static const char *const *folders_of(const struct api_path *api_path)
{
	return strcmp(api_path->program, APP_12_PATH) ? folders : folders_12;
}

/* RTLD_DEEPBIND and a sanitizer's runtime exclude each other. */
static bool can_run(const struct api_path *api_path)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return !strstr(api_path->arguments, "deep:");
#else
	return true;
#endif
}

/* Ends well and in silence, and says what it is to say. */
static void run_api_path(struct run *run, const struct api_path *api_path, bool with_libstrace,
			 const char *const *environment)
{
	run_start(run, api_path->program, api_path->arguments, with_libstrace, environment);
	assert_string_equal(run->err, "");
	assert_int_equal(run->status, 0);
	assert_string_equal(run->out, api_path->out);
}

static int64_t count_calls(struct run *run, int by_driver)
{
	return run_number(run, "SELECT count(*) FROM calls WHERE api_path = %d", by_driver);
}

/* As many of each class as were made, by each of the two ways. */
static void check_classes(struct run *run, const struct api_path *api_path)
{
	for (size_t i = 0; i < sizeof(work_calls) / sizeof(work_calls[0]); i++)
		for (int by_driver = 0; by_driver < 2; by_driver++) {
			int works = by_driver ? api_path->driver_works : api_path->wrapped_works;
			int64_t seen = run_number(run,
						  "SELECT count(*) FROM calls c JOIN functions f"
						  " ON f.id = c.function_id WHERE f.class = '%s'"
						  " AND c.api_path = %d AND c.result = 0",
						  work_calls[i].class, by_driver);

			if (seen != works * work_calls[i].count)
				fail_msg("%s: %d calls of %s by %s, not %d", api_path->name,
					 (int)seen, work_calls[i].class,
					 by_driver ? "CUPTI" : "a wrapper",
					 works * work_calls[i].count);
		}
}

/* What CUPTI says of memory leads to the call of that class. Of events and waits the calls say
 * enough. */
static void check_joins(struct run *run, int works)
{
	static const struct {
		const char *table, *classes;
		int count; /* a work */
	} joins[] = {
		{"event_records WHERE 1", "'event-record'", 0},
		{"synchronizations WHERE 1", "'event-sync'", 0},
		{"allocations WHERE 1", "'alloc', 'free', 'host-alloc', 'host-free'", 6},
	};

	for (size_t i = 0; i < sizeof(joins) / sizeof(joins[0]); i++) {
		assert_int_equal(run_number(run, "SELECT count(*) FROM %s", joins[i].table),
				 works * joins[i].count);
		assert_int_equal(run_number(run,
					    "SELECT count(*) FROM %s AND correlation_id IN"
					    " (SELECT correlation_id FROM named_calls"
					    " WHERE class IN (%s))",
					    joins[i].table, joins[i].classes),
				 works * joins[i].count);
	}
}

static void check_trace(struct run *run, const struct api_path *api_path)
{
	const int works = api_path->wrapped_works + api_path->driver_works;

	run_open(run);
	print_message("%-26s %5d %5d %10d %7d\n", api_path->name, (int)count_calls(run, 0),
		      (int)count_calls(run, 1),
		      (int)run_number(run, "SELECT sum(operations) FROM matched_operations"),
		      (int)run_number(run, "SELECT sum(matched) FROM matched_operations"));
	check_classes(run, api_path);
	assert_int_equal(count_calls(run, 0), api_path->wrapped_works * WORK_CALLS);
	assert_int_equal(count_calls(run, 1), api_path->driver_works * WORK_CALLS);
	assert_int_equal(run_number(run, "SELECT sum(operations) FROM matched_operations"),
			 works * WORK_OPERATIONS);
	assert_int_equal(run_number(run, "SELECT sum(matched) FROM matched_operations"),
			 works * WORK_OPERATIONS);
	/* A call makes at most one operation here: nothing is kept of what cudart does for
	 * itself. */
	assert_int_equal(run_number(run, "SELECT count(*) FROM correlations"), 0);
	check_joins(run, works);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
}

TEST(test_every_api_path_is_traced)
{
	struct run plain, traced;

	print_message("%-26s %5s %5s %10s %7s\n", "API path", "wrap", "cupti", "operations",
		      "matched");
	for (size_t i = 0; i < sizeof(api_paths) / sizeof(api_paths[0]); i++) {
		if (!can_run(&api_paths[i]))
			continue;
		run_api_path(&plain, &api_paths[i], false, folders_of(&api_paths[i]));
		run_end(&plain);
		run_api_path(&traced, &api_paths[i], true, folders_of(&api_paths[i]));
		check_trace(&traced, &api_paths[i]);
		run_end(&traced);
	}
}

/* What cudart does for itself is not counted where a wrapper sees the call. */
TEST_RUN(test_cudart_s_own_calls_are_not_the_program_s)
{
	static const char *const own[] = {"FAKE_OWN_CALLS=1", NULL};

	run_api_path(run, &api_paths[0], true, own);
	run_open(run);
	check_classes(run, &api_paths[0]);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), WORK_CALLS);
	assert_int_equal(run_number(run, "SELECT count(*) FROM correlations"), 0);
	/* The operation's id comes third, and is the one that the call keeps. */
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations o JOIN calls c"
					 " USING (correlation_id)"),
			 WORK_OPERATIONS);
}

/* What a wrapper has found must not go away under it. */
TEST_RUN(test_a_plugin_may_bring_its_cudart_again)
{
	static const struct api_path api_path = {
		"loaded again", HOST_PATH, "again:" PLUGIN("12"), 2, 0, "front 46\n"};

	run_api_path(run, &api_path, true, folders);
	check_trace(run, &api_path);
}

TEST(test_per_thread_calls_are_marked)
{
	enum { CALLS_WITH_A_TWIN = 10 };
	static const struct api_path cases[] = {
		{"per thread, shared", HOST_PATH, "local:" PLUGIN("per_thread"), 1, 0, ""},
		{"per thread, static", HOST_PATH, "local:" PLUGIN("per_thread_static"), 0, 1, ""},
	};
	struct run run;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		run_api_path(&run, &cases[i], true, folders);
		check_trace(&run, &cases[i]);
		assert_int_equal(run_number(&run, "SELECT sum(per_thread_stream) FROM calls"),
				 CALLS_WITH_A_TWIN);
		assert_int_equal(run_number(&run, "SELECT count(*) FROM functions"
						  " WHERE name LIKE '%%\\_pt%%' ESCAPE '\\'"),
				 0);
		run_end(&run);
	}
}

/* What the driver's parameters say is what the runtime's say. */
TEST_RUN(test_the_driver_s_calls_are_complete)
{
	static const struct api_path api_path = {
		"driver API", HOST_PATH, "local:" PLUGIN("driver"), 0, 1, ""};

	run_api_path(run, &api_path, true, folders);
	run_open(run);
	/* One stream and one event, made, used and destroyed; the wait is in the default stream. */
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM named_calls n JOIN calls c USING (id)"
				    " WHERE n.class IN ('stream-sync', 'stream-query', 'copy',"
				    " 'launch', 'set', 'event-record', 'stream-destroy')"
				    " AND c.stream_handle = (SELECT c.object FROM calls c"
				    " JOIN named_calls USING (id) WHERE class = 'stream-create')"),
			 8);
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM named_calls n JOIN calls c USING (id)"
				    " WHERE n.class IN ('event-record', 'event-sync',"
				    " 'event-query', 'stream-wait-event', 'event-destroy')"
				    " AND c.object = (SELECT c.object FROM calls c"
				    " JOIN named_calls USING (id) WHERE class = 'event-create')"),
			 5);
	assert_int_equal(run_number(run, "SELECT stream_handle FROM named_calls"
					 " WHERE class = 'stream-wait-event'"),
			 0);
	/* What was allocated or registered was given back. */
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM calls a JOIN named_calls n USING (id)"
				    " JOIN calls b ON b.dst = a.dst AND b.id > a.id"
				    " JOIN named_calls m ON m.id = b.id"
				    " WHERE n.class || ' ' || m.class IN ('alloc free',"
				    " 'host-alloc host-free', 'register unregister')"
				    " AND a.size_bytes = 4096 AND b.size_bytes IS NULL"),
			 4);
}

/* Half of what such a call costs is the callback. */
TEST_RUN(test_events_can_be_left_out)
{
	static const char *const environment[] = {"STREAMTRACE_EVENTS=0", NULL};
	static const struct api_path api_path = {
		"driver API", APP_PATH, "own local:" PLUGIN("driver"), 1, 1, ""};

	run_api_path(run, &api_path, true, environment);
	run_open(run);
	assert_int_equal(count_calls(run, 0), WORK_CALLS);
	assert_int_equal(count_calls(run, 1), WORK_CALLS - 4);
	assert_int_equal(run_number(run, "SELECT count(*) FROM named_calls n JOIN calls c"
					 " USING (id) WHERE c.api_path = 1 AND n.class IN"
					 " ('event-record', 'event-query', 'stream-query',"
					 " 'stream-wait-event')"),
			 0);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'events'"),
			    "wrappers");
}

/* Another tool's wrapper stays in the way of the calls. */
TEST(test_another_interposer_is_not_passed_by)
{
	static const char *const other[] = {"LD_PRELOAD=" PLUGIN("interposer"), NULL};
	static const struct api_path api_path = {"interposer",	APP_PATH, "own", 1, 0,
						 "interposed\n"};
	struct run run;

	run_api_path(&run, &api_path, false, other);
	run_end(&run);
	run_api_path(&run, &api_path, true, other);
	check_trace(&run, &api_path);
	run_end(&run);
}

/* A program that asks whether there is a cudart gets the answer that it gets untraced. */
TEST(test_a_missing_cudart_is_missed)
{
	static const struct api_path api_path = {"no cudart", HOST_PATH, "default:" PLUGIN("probe"),
						 0,	      0,	 "no cudart\n"};
	struct run run;

	run_api_path(&run, &api_path, false, NULL);
	run_end(&run);
	run_api_path(&run, &api_path, true, NULL);
	run_end(&run);
}

TEST(test_cupti_is_of_the_program_s_major)
{
	static const char *const only_12[] = {
		"LD_LIBRARY_PATH=" FAKE_12_FOLDER ":" FAKE_12_CUPTI_FOLDER, NULL};
	static const struct {
		const struct api_path *api_path;
		const char *const *environment;
		int version;
	} cases[] = {
		{&api_paths[0], folders, 130001},
		{&api_paths[1], folders_12, 28},
		{&api_paths[1], only_12, 28},
	};
	struct run run;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		run_api_path(&run, cases[i].api_path, true, cases[i].environment);
		check_trace(&run, cases[i].api_path);
		assert_int_equal(run_number(&run, "SELECT value FROM metadata"
						  " WHERE key = 'cupti_version'"),
				 cases[i].version);
		run_end(&run);
	}
}

/* The program runs, its calls are there, and the trace says why its operations are not. */
TEST(test_a_wrong_cupti_is_said)
{
	static const struct {
		const char *cupti, *reason;
	} cases[] = {
		{"STREAMTRACE_CUPTI=" SOURCE_PATH, "invalid ELF header"},
		{"STREAMTRACE_CUPTI=" PLUGIN("13"), "libcupti is too old: it has no "},
		{"STREAMTRACE_CUPTI=/nowhere/libcupti.so.13", "No such file"},
	};
	struct run run;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *const environment[] = {cases[i].cupti, NULL};

		run_start(&run, api_paths[0].program, api_paths[0].arguments, true, environment);
		assert_int_equal(run.status, 0);
		assert_string_equal(run.out, "");
		run_open(&run);
		assert_non_null(strstr(run_text(&run, "SELECT value FROM metadata"
						      " WHERE key = 'cupti'"),
				       cases[i].reason));
		assert_int_equal(count_calls(&run, 0), WORK_CALLS);
		assert_int_equal(run_number(&run, "SELECT count(*) FROM operations"), 0);
		assert_int_equal(run_number(&run, "SELECT count(*) FROM losses"
						  " WHERE kind = 'cupti-error' AND detail <> ''"),
				 1);
		run_end(&run);
	}
}

RUN_TESTS(NULL, NULL)
