/* Which file a process writes its trace to, which files it leaves alone, and what it says. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "preload_run.h"

enum { CALLS = 10, WORKERS = 4, FORKS = 60, TICK_US = 50000, EMPTIED = 20 };

static void start(struct run *run, const char *scenario, const char *const *environment)
{
	run_start(run, APP_PATH, scenario, true, environment);
	assert_true(WIFEXITED(run->status));
	assert_int_equal(WEXITSTATUS(run->status), 0);
}

/* Opens another trace of the run than the first. */
static void open_other(struct run *run, const char *name)
{
	sqlite3_close(run->db);
	snprintf(run->trace, sizeof(run->trace), "%s/%s", run->folder, name);
	run_open(run);
}

/* Each worker's calls, its operation and its end, in a file of its own. */
static void check_workers(const char *scenario)
{
	static const char *const names[WORKERS] = {"trace.db", "trace.2.db", "trace.3.db",
						   "trace.4.db"};
	struct run run;

	start(&run, scenario, NULL);
	assert_string_equal(run.err, "");
	assert_string_equal(run.out, "child 3\nchild 3\nchild 3\nchild 3\n");
	for (int i = 0; i < WORKERS; i++) {
		open_other(&run, names[i]);
		assert_int_equal(run_number(&run, "SELECT count(*) FROM calls"), CALLS);
		assert_int_equal(run_number(&run, "SELECT count(*) FROM operations"), 1);
		assert_int_not_equal(
			run_number(&run, "SELECT value FROM metadata WHERE key = 'process_id'"),
			run.pid);
		assert_string_equal(
			run_text(&run, "SELECT group_concat(value) FROM (SELECT value FROM metadata"
				       " WHERE key IN ('cupti', 'end') ORDER BY key)"),
			"on,_exit");
	}
	sqlite3_close(run.db);
	run.db = NULL;
	assert_int_equal(run_file_count(&run), WORKERS);
	run_end(&run);
}

TEST(test_workers_have_a_trace_each)
{
	check_workers("workers");
	check_workers("workers-in-turn");
}

static void check_rank(struct run *run, const char *name, const char *rank)
{
	open_other(run, name);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), CALLS);
	assert_string_equal(run_text(run, "SELECT coalesce((SELECT value FROM metadata"
					  " WHERE key = 'rank'), '')"),
			    rank);
}

/* The launcher starts CUDA first, has its node's rank, and makes no call that is recorded. */
TEST(test_a_launcher_takes_no_name)
{
	static const char *const by_rank[] = {"STREAMTRACE_OUTPUT=r%r.db", "RANK=", NULL};
	static const char *const by_node[] = {"STREAMTRACE_OUTPUT=r%r.db",
					      "RANK=", "SLURM_PROCID=7", NULL};
	static const char *const by_path[] = {"STREAMTRACE_OUTPUT=r%r.db", "RANK=first/second",
					      NULL};
	struct run run;

	start(&run, "launcher", by_node);
	assert_string_equal(run.err, "");
	assert_string_equal(run.out, "looked 0\nmade\nmade\n");
	check_rank(&run, "r0.db", "0");
	check_rank(&run, "r1.db", "1");
	sqlite3_close(run.db);
	run.db = NULL;
	assert_int_equal(run_file_count(&run), 2);
	run_end(&run);
	start(&run, "calls", by_node);
	check_rank(&run, "r7.db", "7");
	run_end(&run);
	start(&run, "calls", by_rank);
	check_rank(&run, "rno-rank.db", "");
	run_end(&run);
	start(&run, "calls", by_path);
	check_rank(&run, "rno-rank.db", "");
	run_end(&run);
}

/* ranks, local_rank and run of the metadata, in this order. */
static void check_job(const char *const *environment, const char *expected)
{
	struct run run;

	start(&run, "calls", environment);
	run_open(&run);
	assert_string_equal(
		run_text(&run, "SELECT group_concat(coalesce(value, '-'), ' ') FROM"
			       " (VALUES ('ranks'), ('local_rank'), ('run')) LEFT JOIN metadata"
			       " ON key = column1"),
		expected);
	run_end(&run);
}

/* Of torchrun under Slurm the workers are torchrun's. */
TEST(test_the_job_is_the_launcher_s)
{
	static const char *const none[] = {"RANK=", "WORLD_SIZE=", NULL};
	static const char *const slurm[] = {"SLURM_JOB_ID=77",	       "SLURM_STEP_ID=3",
					    "SLURM_STEP_NUM_TASKS=16", "SLURM_LOCALID=2",
					    "SLURM_PROCID=10",	       NULL};
	static const char *const torchrun[] = {"SLURM_JOB_ID=77",
					       "SLURM_STEP_ID=3",
					       "SLURM_STEP_NUM_TASKS=2",
					       "SLURM_LOCALID=0",
					       "WORLD_SIZE=8",
					       "LOCAL_RANK=3",
					       "TORCHELASTIC_RUN_ID=none",
					       "MASTER_ADDR=n0",
					       "MASTER_PORT=29500",
					       "TORCHELASTIC_RESTART_COUNT=0",
					       NULL};
	static const char *const again[] = {"WORLD_SIZE=8",
					    "LOCAL_RANK=3",
					    "TORCHELASTIC_RUN_ID=none",
					    "MASTER_ADDR=n0",
					    "MASTER_PORT=29500",
					    "TORCHELASTIC_RESTART_COUNT=2",
					    NULL};
	static const char *const mpi[] = {"OMPI_COMM_WORLD_SIZE=4", "OMPI_COMM_WORLD_LOCAL_RANK=1",
					  "PMIX_NAMESPACE=2711", "SLURM_JOB_ID=77", NULL};
	static const char *const by_hand[] = {"WORLD_SIZE=2", "LOCAL_RANK=1", "MASTER_ADDR=n0",
					      "MASTER_PORT=1234", NULL};

	check_job(none, "- - -");
	check_job(slurm, "16 2 slurm:77.3");
	check_job(torchrun, "8 3 torchelastic:none@n0:29500");
	check_job(again, "8 3 torchelastic:none@n0:29500#2");
	check_job(mpi, "4 1 pmix:2711");
	check_job(by_hand, "2 1 master:n0:1234");
}

TEST_RUN(test_after_exec_the_first_trace_stays)
{
	start(run, "exec-again", NULL);
	run_open(run);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'end'"), "exec");
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), CALLS);
	open_other(run, "trace.2.db");
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'end'"), "exit");
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), CALLS);
	assert_int_equal(run_number(run, "SELECT value FROM metadata WHERE key = 'process_id'"),
			 run->pid);
}

TEST_RUN(test_a_child_of_a_cuda_process)
{
	start(run, "fork-after-cuda", NULL);
	assert_string_equal(run->err, "");
	assert_string_equal(run->out, "child 3\nchild 5\n");
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), 2 * CALLS);
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations"), 2);
	open_other(run, "trace.2.db");
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), 1);
	assert_int_equal(run_number(run, "SELECT result FROM calls"), 3);
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations"), 0);
	assert_string_equal(
		run_text(run, "SELECT group_concat(value, '; ') FROM (SELECT value FROM metadata"
			      " WHERE key IN ('cupti', 'end') ORDER BY key)"),
		"not available: CUDA was initialized before this process was forked; exit");
	sqlite3_close(run->db);
	run->db = NULL;
	/* The one that made no call has none. */
	assert_int_equal(run_file_count(run), 2);
}

TEST_RUN(test_a_fork_may_come_at_any_moment)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip(); /* the sanitizer's allocator keeps its locks over a fork */
#endif
	char expected[32], name[32];
	int parents = 0;

	start(run, "fork-in-a-crowd", NULL);
	assert_string_equal(run->err, "");
	snprintf(expected, sizeof(expected), "good %d\n", FORKS);
	assert_string_equal(run->out, expected);
	/* The parent's has the first name, unless its writer came to it after a child's did. */
	for (int i = 1; i <= FORKS + 1; i++) {
		snprintf(name, sizeof(name), i == 1 ? "trace.db" : "trace.%d.db", i);
		open_other(run, name);
		if (run_number(run, "SELECT value = %d FROM metadata WHERE key = 'process_id'",
			       (int)run->pid)) {
			parents++;
			continue;
		}
		assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), 1);
		assert_int_equal(run_number(run, "SELECT count(*) FROM calls c JOIN frames f"
						 " USING (site_id) WHERE f.module_id IS NOT NULL"
						 " AND f.depth = 0"),
				 1);
	}
	assert_int_equal(parents, 1);
}

TEST(test_an_older_trace_is_replaced)
{
	char output[128];
	const char *const there[] = {output, NULL};
	struct run first, second;

	start(&first, "calls", NULL);
	snprintf(output, sizeof(output), "STREAMTRACE_OUTPUT=%s", first.trace);
	usleep(TICK_US); /* a process's start is known to a tick of the clock */
	start(&second, "calls", there);
	assert_int_equal(run_file_count(&first), 1);
	assert_int_equal(run_file_count(&second), 0);
	run_open(&first);
	assert_int_equal(run_number(&first, "SELECT value FROM metadata WHERE key = 'process_id'"),
			 second.pid);
	run_end(&first);
	run_end(&second);
}

TEST(test_of_one_run_nothing_is_replaced)
{
	char output[128];
	const char *const there[] = {output, "STREAMTRACE_KEEP_SINCE_NS=1", NULL};
	struct run first, second;

	start(&first, "calls", NULL);
	snprintf(output, sizeof(output), "STREAMTRACE_OUTPUT=%s", first.trace);
	usleep(TICK_US);
	start(&second, "calls", there);
	assert_int_equal(run_file_count(&first), 2);
	open_other(&first, "trace.2.db");
	assert_int_equal(run_number(&first, "SELECT value FROM metadata WHERE key = 'process_id'"),
			 second.pid);
	run_end(&first);
	run_end(&second);
}

static void write_text(const struct run *run, const char *name)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", run->folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("mine", file);
	fclose(file);
}

static void check_text(const struct run *run, const char *name)
{
	char path[128], text[8] = "";
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", run->folder, name);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_int_equal(fread(text, 1, sizeof(text), file), 4);
	assert_string_equal(text, "mine");
	fclose(file);
}

/* A number that someone else's file has is passed over. */
TEST(test_a_numbered_name_may_be_taken)
{
	char output[128];
	const char *const there[] = {output, "STREAMTRACE_KEEP_SINCE_NS=1", NULL};
	struct run first, second;

	start(&first, "calls", NULL);
	write_text(&first, "trace.2.db");
	snprintf(output, sizeof(output), "STREAMTRACE_OUTPUT=%s", first.trace);
	start(&second, "calls", there);
	check_text(&first, "trace.2.db");
	open_other(&first, "trace.3.db");
	assert_int_equal(run_number(&first, "SELECT value FROM metadata WHERE key = 'process_id'"),
			 second.pid);
	run_end(&first);
	run_end(&second);
}

/* Runs it with the output at name in folder's run; it says one line with the text, or none. */
static void check_refused(const struct run *folder, const char *name, const char *text)
{
	char output[6000];
	const char *const loud[] = {output, NULL};
	const char *const quiet[] = {output, "STREAMTRACE_QUIET=1", NULL};
	const char *path = name[0] == '/' ? "" : folder->folder;
	struct run run;

	snprintf(output, sizeof(output), "STREAMTRACE_OUTPUT=%s%s%s", path, *path ? "/" : "", name);
	start(&run, "calls", loud);
	assert_string_equal(run.out, "made\n");
	assert_int_equal(run_lines(run.err), 1);
	assert_non_null(strstr(run.err, text));
	assert_non_null(strstr(run.err, "the program runs untraced"));
	run_end(&run);
	start(&run, "calls", quiet);
	assert_string_equal(run.out, "made\n");
	assert_string_equal(run.err, "");
	run_end(&run);
}

TEST_RUN(test_what_is_no_trace_is_left_alone)
{
	char link[128];
	struct stat status;

	start(run, "nothing", NULL);
	write_text(run, "text");
	check_refused(run, "text", "not a trace: not overwritten");
	check_text(run, "text");
	/* To an empty file, which would do as an output itself, and to nowhere. */
	snprintf(link, sizeof(link), "%s/link", run->folder);
	assert_int_equal(symlink("/dev/null", link), 0);
	check_refused(run, "link", "not a trace: not overwritten");
	assert_int_equal(unlink(link), 0);
	assert_int_equal(symlink("target", link), 0);
	check_refused(run, "link", "not a trace: not overwritten");
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(run_file_count(run), 2);
}

/* What the system refuses is no file of another kind. */
TEST_RUN(test_a_sandbox_is_named)
{
	start(run, "sandboxed", NULL);
	assert_string_equal(run->out, "made\n");
	assert_non_null(
		strstr(run->err, "trace.db: Operation not permitted: the program runs untraced"));
	assert_int_equal(run_lines(run->err), 1);
}

TEST_RUN(test_where_no_file_can_be)
{
	char folder[128], name[257] = "", deep[5000] = "";

	start(run, "nothing", NULL);
	check_refused(run, "missing/trace.db", "No such file or directory");
	memset(name, 'n', sizeof(name) - 1);
	check_refused(run, name, "File name too long");
	write_text(run, "text");
	check_refused(run, "text/trace.db", "Not a directory");
	for (size_t i = 0; i + 2 < sizeof(deep); i += 2)
		memcpy(deep + i, "d/", 2);
	check_refused(run, deep, "the output path is too long");
	check_refused(run, "/proc/trace.db", "/proc/trace.db");
	if (geteuid()) {
		snprintf(folder, sizeof(folder), "%s/read-only", run->folder);
		assert_int_equal(mkdir(folder, 0500), 0);
		check_refused(run, "read-only/trace.db", "Permission denied");
		assert_int_equal(rmdir(folder), 0);
	}
}

TEST_RUN(test_a_working_directory_that_is_gone)
{
	static const char *const relative[] = {"STREAMTRACE_OUTPUT=x.db", NULL};

	start(run, "without-folder", relative);
	assert_string_equal(run->out, "made\n");
	assert_string_equal(run->err,
			    "streamtrace: the working directory is not there any more: the "
			    "program runs untraced\n");
}

TEST(test_only_standard_error_is_spoken_to)
{
	static const char *const unwritable[] = {"STREAMTRACE_OUTPUT=missing/trace.db",
						 "STREAMTRACE_VERBOSE=1", "STREAMTRACE_FOO=1",
						 NULL};
	struct run run;

	start(&run, "own-stderr", unwritable);
	assert_string_equal(run.err, "");
	assert_string_equal(run.out, "own 2 holds 0\n");
	run_end(&run);
	start(&run, "broken-stderr", unwritable);
	assert_string_equal(run.out, "made\n");
	run_end(&run);
}

static void check_program(const char *patterns, int files)
{
	const char *const environment[] = {patterns, NULL};
	struct run run;

	start(&run, "calls", environment);
	assert_string_equal(run.out, "made\n");
	assert_string_equal(run.err, "");
	assert_int_equal(run_file_count(&run), files);
	run_end(&run);
}

TEST(test_programs_are_chosen_by_name)
{
	check_program("STREAMTRACE_PROGRAMS=files_app", 1);
	check_program("STREAMTRACE_PROGRAMS=other,f*_a?p", 1);
	check_program("STREAMTRACE_PROGRAMS=files,iles_app,other", 0);
}

/* No mapped file that could be cut short under the program. Who reads the trace meanwhile can. */
TEST_RUN(test_the_log_s_index_may_be_emptied)
{
	static const char *const look[] = {"LOOK=" CLI_PATH " info trace.db >/dev/null", NULL};

	start(run, "emptied-index", look);
	assert_string_equal(run->out, "mapped 0\nlook 0\n");
	assert_string_equal(run->err, "");
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), (EMPTIED + 1) * CALLS);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
	assert_string_equal(run_text(run, "PRAGMA integrity_check"), "ok");
}

/* What it held is gone, but the program goes on. */
TEST_RUN(test_the_log_may_be_emptied)
{
	start(run, "emptied-log", NULL);
	assert_string_equal(run->out, "mapped 0\n");
	assert_string_equal(run->err, "");
}

RUN_TESTS(NULL, NULL)
