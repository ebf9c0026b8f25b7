/*
 * What run does around the traced program: exit status, environment, names of traces, reports. run_test.c has
 * signals and odd names.
 */
#include "outcome.h"

#include <elf.h>
#include <jansson.h>
#include <signal.h>
#include <sys/stat.h>

/* A folder with bin/streamtrace, a copy, and lib/libstrace.so, which is empty: the loader says that
 * it cannot preload that and goes on. The traced program writes the trace itself. */
static void install(char *program, size_t size, const char *library)
{
	char name[300], *bytes;
	size_t length;

	snprintf(name, sizeof(name), "%s/bin", folder);
	mkdir(name, 0700);
	bytes = read_file(CLI_PATH, &length);
	snprintf(program, size, "%s/bin/streamtrace", folder);
	write_file(program, bytes, length);
	chmod(program, 0700);
	free(bytes);
	if (!library)
		return;
	snprintf(name, sizeof(name), "%s/lib", folder);
	mkdir(name, 0700);
	snprintf(name, sizeof(name), "%s/lib/%s", folder, library);
	*strrchr(name, '/') = '\0';
	mkdir(name, 0700);
	snprintf(name, sizeof(name), "%s/lib/%s", folder, library);
	write_file(name, "", 0);
}

#define RUN_SHELL(program, ...)                                                                    \
	run_file(program, (char *[]){"streamtrace", "run", __VA_ARGS__, NULL})

TEST_IN_FOLDER(test_run_without_library)
{
	struct outcome outcome;
	char program[300];

	install(program, sizeof(program), NULL);
	outcome = RUN_SHELL(program, "true");
	check_status(&outcome, 3);
	assert_non_null(strstr(outcome.errors, "streamtrace: libstrace.so is missing"));
	assert_null(strchr(strchr(outcome.errors, '\n') + 1, '\n'));
	outcome_free(&outcome);
}

TEST_IN_FOLDER(test_run_with_a_library_that_cannot_be_preloaded)
{
	char program[300], name[300], target[300];

	install(program, sizeof(program), "a b/libstrace.so");
	snprintf(target, sizeof(target), "%s/lib/a b/libstrace.so", folder);
	snprintf(name, sizeof(name), "%s/lib/libstrace.so", folder);
	assert_int_equal(symlink(target, name), 0);
	check_outcome(RUN_SHELL(program, "echo", "it ran"), 3, "", "LD_PRELOAD cannot name it");
}

TEST_IN_FOLDER(test_run_status)
{
	char program[300];

	install(program, sizeof(program), "libstrace.so");
	check_outcome(RUN_SHELL(program, "sh", "-c", "exit 7"), 7, "", "no trace was written");
	check_outcome(RUN_SHELL(program, "--", "sh", "-c", "kill -TERM $$"), 128 + SIGTERM, "", "");
	check_outcome(RUN_SHELL(program, "sh", "-c", "echo out; exit 0"), 5, "out\n", "");
	check_outcome(RUN_SHELL(program, "/no/such/program"), 127, "", "No such file or directory");
	check_outcome(RUN_SHELL(program, "/"), 126, "", "Permission denied");
	/* Its parent has taken the signal when it sleeps again. */
	check_outcome(RUN_SHELL(program, "sh", "-c",
				"kill -INT $PPID; "
				"until grep -q '^State:.S' /proc/$PPID/status; do :; done; exit 5"),
		      5, "", "");
	check_outcome(RUN_SHELL(program, "sh", "-c", "kill -INT $$"), 128 + SIGINT, "", "");
	check_outcome(RUN_SHELL(program, "sh", "-c", "kill -PIPE $$"), 128 + SIGPIPE, "", "");
}

TEST_IN_FOLDER(test_run_environment)
{
	struct outcome outcome;
	char program[300], expected[600];

	install(program, sizeof(program), "libstrace.so");
	snprintf(expected, sizeof(expected), "%s/lib/libstrace.so|streamtrace.%%h.%%p.db\n",
		 folder);
	outcome = RUN_SHELL(program, "sh", "-c", "echo \"$LD_PRELOAD|$STREAMTRACE_OUTPUT\"");
	assert_string_equal(outcome.out, expected);
	outcome_free(&outcome);
	setenv("LD_PRELOAD", "/other.so", 1);
	outcome = RUN_SHELL(program, "-o", "x.db", "sh", "-c",
			    "echo \"$LD_PRELOAD|$STREAMTRACE_OUTPUT\"");
	unsetenv("LD_PRELOAD");
	assert_non_null(strstr(outcome.out, "libstrace.so:/other.so|x.db\n"));
	outcome_free(&outcome);
}

/* The shell stands for the traced program: it writes the traces, one under its own process id and
 * one under another's. An older trace that the pattern matches is none of this run. */
TEST_IN_FOLDER(test_run_finds_its_traces)
{
	struct outcome outcome;
	char program[300];

	install(program, sizeof(program), "libstrace.so");
	build_trace(path, "overlap.sql", NULL);
	outcome = RUN_SHELL(program, "sh", "-c",
			    "cp trace.db streamtrace.$(uname -n).$$.db; "
			    "cp trace.db streamtrace.$(uname -n).child.db; "
			    "cp trace.db streamtrace.$(uname -n).old.db; "
			    "touch -d 2001-01-01 streamtrace.$(uname -n).old.db; exit 3");
	check_status(&outcome, 3);
	assert_non_null(strstr(outcome.errors, "child.db; next: streamtrace report streamtrace."));
	assert_null(strstr(outcome.errors, "old.db"));
	assert_null(strstr(outcome.errors, "no trace"));
	outcome_free(&outcome);
	change_trace(path, "INSERT INTO metadata VALUES ('start_ns', '1000000000')");
	check_outcome(RUN_SHELL(program, "-o", "early.db", "cp", "trace.db", "early.db"), 0, "",
		      "this run has no trace of its own: early.db is of another streamtrace run");
	change_trace(path, "UPDATE metadata SET value = '4000000000000000000' "
			   "WHERE key = 'start_ns'");
	outcome = RUN_SHELL(program, "-o", "my [trace].db", "cp", "trace.db", "my [trace].db");
	check_status(&outcome, 0);
	assert_non_null(strstr(outcome.errors, "streamtrace: wrote my [trace].db; next:"));
	outcome_free(&outcome);
	/* The second process that wrote the same name. */
	outcome = RUN_SHELL(program, "-o", "a.b.db", "sh", "-c",
			    "cp trace.db a.b.db; cp trace.db a.b.2.db; cp trace.db a.b.c.db");
	check_status(&outcome, 0);
	assert_non_null(strstr(outcome.errors, "wrote a.b.db;"));
	assert_non_null(strstr(outcome.errors, "wrote a.b.2.db;"));
	assert_null(strstr(outcome.errors, "a.b.c.db"));
	outcome_free(&outcome);
	/* A dot that begins the name begins no ending. */
	outcome = RUN_SHELL(program, "-o", ".db", "sh", "-c",
			    "cp trace.db .db; cp trace.db .db.2; cp trace.db .2.db");
	check_status(&outcome, 0);
	assert_non_null(strstr(outcome.errors, "wrote .db;"));
	assert_non_null(strstr(outcome.errors, "wrote .db.2;"));
	assert_null(strstr(outcome.errors, ".2.db"));
	outcome_free(&outcome);
}

/* The report follows on standard output, or in a file beside the trace; the status is the program's.
 * The patterns match nothing older: a trace that does not say when it began counts as this run's where it
 * was written within a tick of the clock before. */
TEST_IN_FOLDER(test_run_reports)
{
	struct outcome outcome;
	char program[300], name[300], *text;
	json_t *report;

	install(program, sizeof(program), "libstrace.so");
	build_trace(path, "overlap.sql", NULL);
	outcome = RUN_SHELL(program, "--report", "-o", "app.db", "sh", "-c",
			    "echo first; cp trace.db app.db; exit 3");
	check_status(&outcome, 3);
	assert_memory_equal(outcome.out, "first\noverlap on NVIDIA H100, ", 29);
	assert_non_null(strstr(outcome.errors, "streamtrace: wrote app.db\n"));
	outcome_free(&outcome);
	outcome = RUN_SHELL(program, "--report=json", "-o", "app.db", "cp", "trace.db", "app.db");
	check_status(&outcome, 0);
	assert_string_equal(outcome.out, "");
	assert_non_null(strstr(outcome.errors, "streamtrace: wrote app.json\n"));
	outcome_free(&outcome);
	snprintf(name, sizeof(name), "%s/app.json", folder);
	text = read_file(name, NULL);
	report = json_loads(text, 0, NULL);
	assert_true(json_is_string(json_object_get(json_object_get(report, "trace"), "path")));
	json_decref(report);
	free(text);
	outcome = RUN_SHELL(program, "--report", "-o", "p%p.db", "sh", "-c",
			    "cp trace.db p1.db; cp trace.db p2.db");
	check_status(&outcome, 0);
	assert_memory_equal(outcome.out, "2 processes\n", 12);
	assert_non_null(strstr(outcome.out, "overlap 4711: p1.db\n"));
	assert_non_null(strstr(outcome.out, "overlap 4711: p2.db\n"));
	outcome_free(&outcome);
	/* A rank is told before what may be cut off. */
	change_trace(path, "INSERT INTO metadata VALUES ('rank', '3')");
	outcome = RUN_SHELL(program, "--report", "-o", "p%p.db", "sh", "-c",
			    "cp trace.db p1.db; cp trace.db p2.db");
	check_status(&outcome, 0);
	assert_non_null(strstr(outcome.out, "rank 3: overlap 4711: p2.db\n"));
	outcome_free(&outcome);
	/* One page of both, named after the first. */
	outcome = RUN_SHELL(program, "--report=html", "-o", "p%p.db", "sh", "-c",
			    "cp trace.db p1.db; cp trace.db p2.db");
	check_status(&outcome, 0);
	assert_non_null(strstr(outcome.errors, "streamtrace: wrote p1.html\n"));
	assert_null(strstr(outcome.errors, "wrote p2.html"));
	outcome_free(&outcome);
	snprintf(name, sizeof(name), "%s/p1.html", folder);
	text = read_file(name, NULL);
	assert_non_null(strstr(text, "id=\"shown-2\""));
	free(text);
	check_outcome(RUN_SHELL(program, "--report=xml", "true"), 2, "", "--report=xml");
	check_outcome(RUN_SHELL(program, "--report", "true"), 5, "", "no trace was written");
}

/* Said before it starts, for it may run for long. */
TEST_IN_FOLDER(test_run_says_what_cannot_be_traced)
{
	static const Elf64_Ehdr no_interpreter = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_phentsize = sizeof(Elf64_Phdr)};
	char program[300], traced[300], *bytes;
	struct outcome outcome;
	size_t length;

	install(program, sizeof(program), "libstrace.so");
	snprintf(traced, sizeof(traced), "%s/traced", folder);
	write_file(traced, &no_interpreter, sizeof(no_interpreter));
	chmod(traced, 0700);
	outcome = RUN_SHELL(program, traced);
	assert_non_null(
		strstr(outcome.errors, "traced will run untraced: it is linked statically"));
	assert_non_null(strstr(outcome.errors, "traced: it is linked statically\n"));
	outcome_free(&outcome);
	outcome = RUN_SHELL(program, "true");
	assert_null(strstr(outcome.errors, "will run untraced"));
	outcome_free(&outcome);
	bytes = read_file("/bin/true", &length);
	write_file(traced, bytes, length);
	free(bytes);
	if (chown(traced, 65534, (gid_t)-1) || chmod(traced, 04755))
		skip(); /* only root can give a file away */
	outcome = RUN_SHELL(program, traced);
	assert_non_null(
		strstr(outcome.errors, "traced will run untraced: it runs with other rights"));
	outcome_free(&outcome);
}

/* Status 5, but never in place of the program's own; a rank without GPU work must not end its job. */
TEST_IN_FOLDER(test_run_and_report_say_why_nothing_was_recorded)
{
	static const char cause[] =
		"no CUDA call was recorded: STREAMTRACE_START=paused and no window was opened\n";
	char program[300];

	install(program, sizeof(program), "libstrace.so");
	build_trace(path, NULL, "INSERT INTO metadata VALUES ('start', 'paused')");
	check_outcome(RUN_SHELL(program, "-o", "x.db", "cp", "trace.db", "x.db"), 5, "", cause);
	check_outcome(RUN_SHELL(program, "-o", "x.db", "sh", "-c", "cp trace.db x.db; exit 6"), 6,
		      "", cause);
	check_outcome(RUN("report", "x.db"), 5,
		      "No CUDA call was traced: STREAMTRACE_START=paused and no window was "
		      "opened.\n",
		      "");
	setenv("PMIX_RANK", "1", 1);
	check_outcome(RUN_SHELL(program, "-o", "x.db", "cp", "trace.db", "x.db"), 0, "", cause);
	unsetenv("PMIX_RANK");
	setenv("STREAMTRACE_DISABLE", "1", 1);
	check_outcome(RUN_SHELL(program, "true"), 5, "",
		      "no trace was written: STREAMTRACE_DISABLE=1 turns tracing off\n");
	unsetenv("STREAMTRACE_DISABLE");
	/* What the library tells, tests/preload/untraced_test.sh checks: here there is none. */
	check_outcome(RUN_SHELL(program, "true"), 5, "",
		      "no trace was written: libstrace.so was not loaded into true: ");
	build_trace(path, NULL, "INSERT INTO metadata VALUES ('steps', '3:5')");
	check_outcome(RUN_SHELL(program, "-o", "x.db", "cp", "trace.db", "x.db"), 5, "",
		      "no CUDA call was recorded: none was made in the steps 3:5\n");
	change_trace(path, "UPDATE metadata SET value = 'CUPTI refused: another profiler is "
			   "active in this process' WHERE key = 'cupti'; "
			   "INSERT OR IGNORE INTO metadata VALUES ('cupti', 'CUPTI refused: "
			   "another profiler is active in this process'); "
			   "DELETE FROM metadata WHERE key IN ('start', 'steps')");
	check_outcome(RUN("report", "trace.db"), 5, "traced: CUPTI refused: another profiler", "");
	change_trace(path, "UPDATE metadata SET value = 'on' WHERE key = 'cupti'");
	check_outcome(RUN("report", "trace.db"), 5, "made none that waits or enqueues work.\n", "");
}

RUN_TESTS(NULL, NULL)
