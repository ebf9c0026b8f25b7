/*
 * The report of a job: a folder with two ranks made by hand (job_steps.sql), their launcher, an earlier run, and a
 * file that is no trace. Against golden/job.txt and golden/job.md; after a change that is meant, job_test text
 * and job_test md print the new ones.
 */
#include "build_trace.h"
#include "cmocka_test.h"
#include "base/memory.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder;

struct outcome {
	int status;
	char *out, *errors;
};

static struct outcome run(char *const *arguments)
{
	char *out = memory_format("%s/stdout", folder),
	     *errors = memory_format("%s/stderr", folder);
	struct outcome outcome;
	int status;
	pid_t child = fork();

	if (child == 0) {
		if (!freopen(out, "w", stdout) || !freopen(errors, "w", stderr) || chdir(folder))
			_exit(99);
		setenv("LC_ALL", "C.UTF-8", 1);
		setenv("COLUMNS", "80", 1);
		setenv("XDG_CACHE_HOME", folder, 1);
		execv(CLI_PATH, arguments);
		_exit(99);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	outcome.out = read_file(out, NULL);
	outcome.errors = read_file(errors, NULL);
	unlink(out);
	unlink(errors);
	free(out);
	free(errors);
	return outcome;
}

#define RUN(...) run((char *[]){"streamtrace", __VA_ARGS__, NULL})

static void check_run(struct outcome outcome, int status, const char *expected_error)
{
	if (outcome.status != status || !strstr(outcome.errors, expected_error))
		fail_msg("exit %d with \"%s\"", outcome.status, outcome.errors);
	free(outcome.out);
	free(outcome.errors);
}

/* What is printed by a run that succeeds and says nothing else. */
static char *output_of(struct outcome outcome)
{
	if (outcome.status || outcome.errors[0])
		fail_msg("exit %d with \"%s\"", outcome.status, outcome.errors);
	free(outcome.errors);
	return outcome.out;
}

/* What is printed where files cannot be read; of the first of them standard error says why, too. */
static char *partial_output_of(struct outcome outcome, const char *error)
{
	if (outcome.status != 3 || !strstr(outcome.errors, "could not be read") ||
	    !strstr(outcome.errors, error))
		fail_msg("exit %d with \"%s\"", outcome.status, outcome.errors);
	free(outcome.errors);
	return outcome.out;
}

static char *name(const char *file)
{
	return memory_format("%s/job/%s", folder, file);
}

static void build(const char *file, const char *sql, const char *more)
{
	char *path = name(file), *prelude = read_file(PRELUDE_FILE, NULL);
	char *text = memory_format("%s%s", prelude, sql);

	build_trace(path, NULL, text);
	if (more)
		change_trace(path, more);
	free(text);
	free(prelude);
	free(path);
}

static void build_rank(const char *file, int rank, int copy_ms, int other_ms, const char *more)
{
	char *steps = read_file(CLI_FOLDER "/job_steps.sql", NULL);
	char *sql = memory_format("CREATE TABLE rank AS SELECT %d rank, %d process, %d copy, "
				  "%d other; %s",
				  rank, 4100 + rank, copy_ms, other_ms, steps);

	build(file, sql, more);
	free(sql);
	free(steps);
}

/* A rank of job_host.sql in the folder job/host; state: what its host was found doing for work_ms a step. */
static void build_host_rank(int rank, int work_ms, const char *state)
{
	char *steps = read_file(CLI_FOLDER "/job_host.sql", NULL);
	char *sql = memory_format("CREATE TABLE rank AS SELECT %d rank, %d process, %d work, "
				  "'%s' state; %s",
				  rank, 4100 + rank, work_ms, state, steps);
	char *file = memory_format("host/rank.%d.db", rank);

	build(file, sql, NULL);
	free(file);
	free(sql);
	free(steps);
}

static int set_up(void **state)
{
	char *job, *text;

	folder = make_folder();
	job = name("");
	text = name("notes.db");
	mkdir(job, 0700);
	build_rank("rank.0.db", 0, 0, 10, NULL);
	build_rank("rank.1.db", 1, 10, 0, NULL);
	build("launcher.db",
	      "INSERT INTO metadata VALUES ('process_id', '4000'), ('run', 'pmix:7'),"
	      " ('host', 'node1')",
	      "UPDATE metadata SET value = 'torchrun' WHERE key = 'program'");
	build_rank("old.db", 0, 0, 10,
		   "UPDATE metadata SET value = 'pmix:6' WHERE key = 'run';"
		   "UPDATE metadata SET value = 3100 WHERE key = 'process_id';"
		   "INSERT OR REPLACE INTO metadata VALUES ('start_ns', 900000000);");
	write_file(text, "no trace", 8);
	free(text);
	free(job);
	return 0;
}

static int tear_down(void **state)
{
	char *command = memory_format("rm -r '%s'", folder);
	int status = system(command);

	free(command);
	free(folder);
	return status;
}

/* All ranks' metadata but the earlier run's: when it began. */
static void begin_runs(void)
{
	static const char *const files[] = {"rank.0.db", "rank.1.db", "launcher.db"};

	for (size_t i = 0; i < 3; i++) {
		char *path = name(files[i]);

		if (!access(path, F_OK))
			change_trace(path, "INSERT OR REPLACE INTO metadata VALUES ('start_ns', "
					   "1000000000)");
		free(path);
	}
}

static char *report(const char *format)
{
	char *option = memory_format("--format=%s", format), *text;

	begin_runs();
	text = partial_output_of(RUN("report", option, "job"), "job/notes.db: is not a trace");
	free(option);
	return text;
}

static void check_golden(const char *format, const char *file)
{
	char *path = memory_format("%s/golden/%s", CLI_FOLDER, file);
	char *text = report(format), *expected = read_file(path, NULL);

	assert_string_equal(text, expected);
	free(expected);
	free(text);
	free(path);
}

TEST_WITH(test_golden, set_up, tear_down)
{
	check_golden("text", "job.txt");
	check_golden("md", "job.md");
}

/* The page that explains the report shows its first screen. */
TEST_WITH(test_shown, set_up, tear_down)
{
	char *page = read_file(DOCS_FOLDER "/use/reading-a-report.md", NULL);
	char *text = report("text"), *end = strstr(text, "\n\n1.  "), *line;

	assert_non_null(end);
	*end = '\0';
	for (char *rest = text; (line = strsep(&rest, "\n"));) {
		char *shown = memory_format("\n    %s\n", line);

		if (*line && !strstr(page, shown))
			fail_msg("the page does not show \"%s\"", line);
		free(shown);
	}
	free(text);
	free(page);
}

static int64_t number(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	if (!json_is_integer(value))
		fail_msg("no number \"%s\"", key);
	return json_integer_value(value);
}

TEST_WITH(test_json, set_up, tear_down)
{
	char *text = report("json");
	json_t *json = json_loads(text, 0, NULL), *job = json_object_get(json, "job");
	json_t *first = json_array_get(json_object_get(json, "findings"), 0);
	json_t *late = json_array_get(json_object_get(json, "late"), 0);

	assert_int_equal(number(job, "processes"), 2);
	assert_int_equal(number(job, "expected_ranks"), 2);
	assert_string_equal(json_string_value(json_object_get(job, "method")), "joint");
	assert_int_equal(number(json_object_get(job, "collectives"), "complete"), 20);
	assert_int_equal(number(job, "wall_ns"), 700000000);
	/* 1 MB at 1 GB/s instead of 10 ms, 20 times. */
	assert_int_equal(number(json_object_get(first, "saved_ns"), "estimate"), 180000000);
	assert_int_equal(json_array_size(json_object_get(first, "processes")), 1);
	assert_int_equal(json_integer_value(json_array_get(json_object_get(first, "processes"), 0)),
			 1);
	assert_int_equal(number(late, "process"), 1);
	assert_int_equal(number(late, "last_count"), 20);
	assert_int_equal(number(late, "others_waited_ns"), 200000000);
	assert_int_equal(json_array_size(json_object_get(json, "left_out")), 3);
	json_decref(json);
	free(text);
}

/* What the host of one rank does counts in the job as its copies do. Rank 1 keeps both waiting for 7 of the 10 ms that
 * its host works between steps, 19 times. Three threads ahead prepare step 19 in 7 x 10 ms: 193 - 70 - 3 ms. NCCL's
 * watchdog asks on at each rank, and holds neither rank's end. */
TEST_WITH(test_host_findings, set_up, tear_down)
{
	static const struct {
		const char *state, *id;
		int64_t saved_ms;
	} cases[] = {
		{"collecting garbage", "garbage-collection", 19 * 7},
		{"running", "host-work", 193 - 70 - 3},
		{"waiting for a thread", "loader-empty", 193 - 70 - 3},
	};
	char *host = name("host");

	mkdir(host, 0700);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *text, *most, *cause;
		json_t *json, *first, *processes;

		build_host_rank(0, 0, cases[i].state);
		build_host_rank(1, 10, cases[i].state);
		text = output_of(RUN("report", "--format=json", "job/host"));
		json = json_loads(text, 0, NULL);
		first = json_array_get(json_object_get(json, "findings"), 0);
		processes = json_object_get(first, "processes");
		assert_non_null(first);
		assert_string_equal(json_string_value(json_object_get(first, "id")), cases[i].id);
		assert_int_equal(number(json_object_get(first, "saved_ns"), "estimate"),
				 cases[i].saved_ms * 1000000);
		assert_int_equal(json_array_size(processes), 1);
		assert_int_equal(json_integer_value(json_array_get(processes, 0)), 1);
		json_decref(json);
		free(text);
		text = output_of(RUN("report", "job/host"));
		most = memory_format("\nMost: %s at /home/u/train.py:14 on rank 1 (%d ms).\n",
				     cases[i].id, (int)cases[i].saved_ms);
		cause = memory_format("Cause: %s at\n/home/u/train.py:14.\n", cases[i].id);
		assert_non_null(strstr(text, most));
		assert_non_null(strstr(text, cause));
		free(cause);
		free(most);
		free(text);
	}
	free(host);
}

/* The same whichever way the processes are given: as files in any order, or as summaries. */
TEST_WITH(test_same, set_up, tear_down)
{
	char *a, *b;

	begin_runs();
	a = output_of(RUN("report", "job/rank.0.db", "job/rank.1.db"));
	b = output_of(RUN("report", "job/rank.1.db", "job/rank.0.db"));
	assert_string_equal(a, b);
	free(b);
	check_run(RUN("summarize", "job/rank.0.db", "job/rank.1.db"), 0, "wrote 2 summaries");
	b = output_of(RUN("report", "job/rank.1.summary.db", "job/rank.0.summary.db"));
	assert_string_equal(a, b);
	free(b);
	b = output_of(RUN("report", "job/rank.0.db", "job/rank.1.summary.db", "job/rank.1.db",
			  "job/rank.0.db"));
	assert_string_equal(a, b);
	free(b);
	/* In several folders, too. */
	b = name("copies");
	mkdir(b, 0700);
	free(b);
	check_run(RUN("summarize", "-o", "job/copies", "job/rank.0.db", "job/rank.1.db"), 0, "");
	b = output_of(RUN("report", "job/copies", "job/rank.1.db", "job/rank.0.db"));
	assert_string_equal(a, b);
	free(b);
	free(a);
	a = name("rank.0.db");
	unlink(a);
	b = partial_output_of(RUN("report", "job"), "job/notes.db");
	assert_non_null(strstr(b, "2 ranks: app"));
	free(a);
	free(b);
}

/* A rank that is missing is named, and the rest is reported. */
TEST_WITH(test_missing_rank, set_up, tear_down)
{
	char *path = name("rank.1.db"), *text;

	unlink(path);
	begin_runs();
	text = partial_output_of(RUN("report", "job"), "job/notes.db");
	assert_non_null(strstr(text, "1 of 2 ranks: app on NVIDIA H100"));
	assert_non_null(strstr(text, "- rank 1: no trace of it\n"));
	free(text);
	free(path);
}

/* One whose analysis fails is a line, too. */
TEST_WITH(test_damaged_rank, set_up, tear_down)
{
	char *path = name("rank.1.db"), *text;

	begin_runs();
	change_trace(path, "DROP VIEW top_calls; DROP TABLE calls");
	text = partial_output_of(RUN("report", "job"), "2 files");
	assert_non_null(strstr(text, "1 of 2 ranks: app on NVIDIA H100"));
	assert_non_null(strstr(text, "- job/rank.1.db: "));
	free(text);
	check_run(RUN("summarize", "job/rank.0.db", "job/rank.1.db"), 3, "job/rank.1.db: ");
	free(path);
	/* Named beside two that are read, too. */
	build_rank("rank.2.db", 2, 0, 10, NULL);
	path = name("rank.2.db");
	change_trace(path, "INSERT OR REPLACE INTO metadata VALUES ('start_ns', 1000000000)");
	text = partial_output_of(RUN("report", "job/rank.0.db", "job/rank.2.db", "job/notes.db"),
				 "job/notes.db");
	assert_non_null(strstr(text, "2 ranks: app on NVIDIA H100"));
	assert_non_null(strstr(text, "- job/notes.db: is not a trace"));
	free(text);
	free(path);
}

/* As it was before there were jobs; and traces that have nothing to do with each other. */
TEST_WITH(test_each, set_up, tear_down)
{
	char *text = name("each");
	struct outcome outcome;

	mkdir(text, 0700);
	free(text);
	build("each/a.db", "", NULL);
	build("each/b.db", "", NULL);
	begin_runs();
	text = output_of(RUN("report", "--each", "job/rank.0.db", "job/rank.1.db"));
	assert_non_null(strstr(text, "2 processes\n"));
	free(text);
	text = output_of(RUN("report", "job/rank.0.db", "job/launcher.db", "--top=1"));
	assert_non_null(strstr(text, "2 processes\n"));
	free(text);
	/* So is a folder of traces that nothing says of that they are together. */
	outcome = RUN("report", "job/each");
	assert_non_null(strstr(outcome.out, "2 processes\n"));
	check_run(outcome, 5, "");
	build("other.db", "", NULL);
	text = output_of(RUN("report", "job/rank.0.db", "job/other.db"));
	assert_non_null(strstr(text, "2 processes\n"));
	free(text);
}

/* A summary is none of a trace's commands, and one does not replace another. */
TEST_WITH(test_summaries, set_up, tear_down)
{
	char *other = name("other");

	begin_runs();
	check_run(RUN("summarize", "job/rank.0.db"), 0, "wrote 1 summary");
	check_run(RUN("check", "job/rank.0.summary.db"), 3, "not a trace but a summary of one");
	check_run(RUN("summarize", "job/rank.0.summary.db"), 3, "only summaries are there");
	mkdir(other, 0700);
	build_rank("other/rank.0.db", 0, 0, 10, NULL);
	check_run(RUN("summarize", "-o", "job", "job/rank.0.db", "job/other/rank.0.db"), 2,
		  "job/other/rank.0.db and job/rank.0.db: the summary of both would be "
		  "job/rank.0.summary.db");
	check_run(RUN("summarize", "-o", "job", "job/rank.0.db", "./job/rank.0.db"), 0,
		  "wrote 1 summary");
	free(other);
}

/* As of a single trace: of ranks of which nothing was recorded. */
TEST_WITH(test_nothing_recorded, set_up, tear_down)
{
	char *path = name("idle");

	mkdir(path, 0700);
	build("idle/rank.0.db", "INSERT INTO metadata VALUES ('run', 'pmix:9'), ('rank', '0')",
	      NULL);
	build("idle/rank.1.db", "INSERT INTO metadata VALUES ('run', 'pmix:9'), ('rank', '1')",
	      NULL);
	check_run(RUN("report", "job/idle"), 5, "");
	check_run(RUN("report", "job/rank.0.db", "job/launcher.db"), 0, "");
	free(path);
}

TEST_WITH(test_nothing_readable, set_up, tear_down)
{
	char *path = name("only");
	char *text = memory_format("%s/a.db", path), *text2 = memory_format("%s/b.db", path);

	mkdir(path, 0700);
	write_file(text, "no trace", 8);
	write_file(text2, "no trace", 8);
	check_run(RUN("report", "job/only"), 3, "no trace could be read");
	check_run(RUN("summarize", "job/only"), 3, "is not a trace");
	free(path);
	free(text);
	free(text2);
}

int main(int argc, char **argv)
{
	if (argc == 1)
		return run_registered(argc, argv, NULL, NULL);
	set_up(NULL);
	fputs(report(argv[1]), stdout);
	return tear_down(NULL);
}
