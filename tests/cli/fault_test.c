/*
 * Every command that writes a file, with a fault at each of its calls that change files (support/fault_shim.c): what was
 * there is there, or what should come, whole, and nothing else, but for what SIGKILL leaves, which has a name of its own.
 */
#include "cmocka_test.h"
#include "in_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/wait.h>

/* A program to trace, which copies a trace, and a library that is none, for bin/streamtrace. */
static void install(void)
{
	char *bytes;
	size_t size;

	assert_int_equal(mkdir(in_folder("bin"), 0755), 0);
	assert_int_equal(mkdir(in_folder("lib"), 0755), 0);
	bytes = read_file(CLI_PATH, &size);
	write_file(in_folder("bin/streamtrace"), bytes, size);
	free(bytes);
	assert_int_equal(chmod(in_folder("bin/streamtrace"), 0755), 0);
	write_file(in_folder("lib/libstrace.so"), "", 0);
}

/* What was in a target before: a file, one behind a link, or nothing. */
enum before { BEFORE_FILE, BEFORE_LINK, BEFORE_NOTHING, BEFORE_COUNT };

struct writing {
	char *arguments[12];
	const char *targets[2];
	bool is_of_sqlite; /* which takes an interruption for a failure */
	bool is_run;	   /* the status is that of the program */
	const char *old;   /* the file that is there before; NULL: any */
};

#define COMMAND(...) .arguments = {"streamtrace", __VA_ARGS__}
#define TARGETS(...) .targets = {__VA_ARGS__}

static const struct writing writings[] = {
	{COMMAND("report", "--no-measure", "-o", "r.txt", "v1.db"), TARGETS("r.txt")},
	{COMMAND("report", "--no-measure", "--format=json", "-o", "r.json", "v1.db", "v2.db"),
	 TARGETS("r.json")},
	{COMMAND("report", "--no-measure", "--format=html", "-o", "r.html", "v1.db"),
	 TARGETS("r.html")},
	{COMMAND("report", "--format=md", "-o", "j.md", "job"), TARGETS("j.md")},
	{COMMAND("export", "--format=csv", "-o", "e.csv", "v1.db"), TARGETS("e.csv")},
	{COMMAND("export", "--format=kineto", "-o", "e.json", "v1.db"), TARGETS("e.json")},
	{COMMAND("export", "--format=perfetto", "-o", "e.pf", "v1.db", "v2.db"), TARGETS("e.pf")},
	{COMMAND("export", "--format=nsys", "-o", "e.sqlite", "v1.db"), TARGETS("e.sqlite"),
	 .is_of_sqlite = true},
	{COMMAND("check", "--no-measure", "--sarif=c.sarif", "--junit=c.xml", "v1.db"),
	 TARGETS("c.sarif", "c.xml")},
	{COMMAND("summarize", "v1.db"), TARGETS("v1.summary.db"), .old = "v2.summary.db"},
	{COMMAND("run", "--no-measure", "--report=json", "-o", "app.db", "cp", "v1.db", "app.db"),
	 TARGETS("app.json"), .is_of_sqlite = true, .is_run = true, .old = "old.json"},
};

/* What is replaced where not everything is. */
static const struct writing old_ones[] = {
	{COMMAND("summarize", "v2.db"), TARGETS("v2.summary.db")},
	{COMMAND("report", "--no-measure", "--format=json", "-o", "old.json", "v2.db"),
	 TARGETS("old.json")},
};

#define TARGETS_MOST 2

/* The bytes of a target, before and after. */
struct content {
	char *bytes;
	size_t size;
};

struct walk {
	const struct writing *writing;
	const char *fault;
	enum before before;
	struct content old[TARGETS_MOST], new[TARGETS_MOST];
	size_t rounds;
};

/* The command with a fault at that call, once all its processes have ended; *is_there: it came. */
static int run_with_fault(const struct writing *writing, const char *fault, long at, bool *is_there)
{
	int ends[2], status;
	char number[24], byte;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		if (chdir(folder) || !freopen("stdout", "w", stdout) ||
		    !freopen("stderr", "w", stderr))
			_exit(99);
		close(ends[0]);
		snprintf(number, sizeof(number), "%d", ends[1]);
		setenv("FAULT_SAYS", number, 1);
		snprintf(number, sizeof(number), "%ld", at);
		setenv("FAULT_AT", number, 1);
		setenv("FAULT", fault, 1);
		setenv("LD_PRELOAD", FAULT_SHIM, 1);
		setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
		setenv("LC_ALL", "C", 1);
		execv(writing->is_run ? "bin/streamtrace" : CLI_PATH, writing->arguments);
		_exit(99);
	}
	close(ends[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	*is_there = false;
	while (read(ends[0], &byte, 1) == 1)
		*is_there = true;
	close(ends[0]);
	return status;
}

static void set_before(const struct walk *walk, size_t index)
{
	const char *name = walk->writing->targets[index];
	const struct content *old = &walk->old[index];
	char target[40];

	snprintf(target, sizeof(target), "behind.%s", name);
	unlink(in_folder(name));
	unlink(in_folder(target));
	if (walk->before == BEFORE_FILE)
		write_file(in_folder(name), old->bytes, old->size);
	if (walk->before != BEFORE_LINK)
		return;
	write_file(in_folder(target), old->bytes, old->size);
	assert_int_equal(symlink(target, in_folder(name)), 0);
}

/* Whether the target is as it was, or else as it should become. */
static bool is_old(const struct walk *walk, size_t index)
{
	const char *name = walk->writing->targets[index];
	const struct content *old = &walk->old[index], *new = &walk->new[index];
	struct stat status;

	if (lstat(in_folder(name), &status))
		return walk->before == BEFORE_NOTHING;
	if (S_ISLNK(status.st_mode) != (walk->before == BEFORE_LINK))
		return false;
	if (has_bytes(name, new->bytes, new->size))
		return false;
	if (walk->before == BEFORE_NOTHING || !has_bytes(name, old->bytes, old->size))
		fail_msg("%s %s: %s is neither old nor new", walk->writing->arguments[1],
			 walk->fault, name);
	return true;
}

/* Of unfinished files in the folder, which are removed. */
static size_t count_unfinished(void)
{
	DIR *listing = opendir(folder);
	struct dirent *entry;
	size_t count = 0;

	while ((entry = readdir(listing)))
		if (!strncmp(entry->d_name, ".streamtrace-", 13)) {
			unlink(in_folder(entry->d_name));
			count++;
		}
	closedir(listing);
	return count;
}

/* As whoever opens the file next finds it: what was left half-way is taken back. */
static int count_calls(const char *name)
{
	static const char sql[] =
		"SELECT CASE WHEN (SELECT integrity_check FROM pragma_integrity_check) = 'ok'"
		" THEN (SELECT count(*) FROM calls) + coalesce((SELECT sum(calls) FROM"
		" call_blocks), 0) ELSE -1 END";
	sqlite3_stmt *statement;
	sqlite3 *database;
	int count;

	assert_int_equal(sqlite3_open(in_folder(name), &database), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	count = sqlite3_column_int(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(database);
	return count;
}

static void check_ended(const struct walk *walk, long at, int status, bool is_there)
{
	const struct writing *writing = walk->writing;
	bool is_killed = !strncmp(walk->fault, "SIG", 3), has_old = false;
	char *errors;

	for (size_t i = 0; i < TARGETS_MOST && writing->targets[i]; i++)
		has_old |= is_old(walk, i);
	if (count_unfinished() && strcmp(walk->fault, "SIGKILL"))
		fail_msg("%s %s at %ld: an unfinished file is left", writing->arguments[1],
			 walk->fault, at);
	if (writing->is_run)
		assert_int_equal(count_calls("app.db"), 5);
	if (is_killed && is_there)
		return;
	errors = bytes_of("stderr", NULL);
	if (!WIFEXITED(status) || strstr(errors, "standard output") ||
	    (has_old && !WEXITSTATUS(status) && !writing->is_run) ||
	    (has_old && !strcmp(walk->fault, "interrupted") && !writing->is_of_sqlite) ||
	    (has_old && !is_there))
		fail_msg("%s %s at %ld: wait status %#x: %s", writing->arguments[1], walk->fault,
			 at, status, errors);
	if (has_old && !strstr(errors, writing->targets[0]) &&
	    !(writing->targets[1] && strstr(errors, writing->targets[1])) &&
	    !(writing->is_run && strstr(errors, "app.db")))
		fail_msg("%s %s at %ld: no name in '%s'", writing->arguments[1], walk->fault, at,
			 errors);
	free(errors);
}

#ifdef __SANITIZE_ADDRESS__
/* Runs of the program take ten times as long there: of the calls one in so many fails. */
enum { CALLS_STEP = 8 };
#else
enum { CALLS_STEP = 1 };
#endif

/* A fault at each call, until none is left. */
static void walk_calls(struct walk *walk)
{
	bool is_there = true;

	for (long at = 1; is_there; at += CALLS_STEP) {
		int status;

		for (size_t i = 0; i < TARGETS_MOST && walk->writing->targets[i]; i++)
			set_before(walk, i);
		unlink(in_folder("app.db-journal"));
		status = run_with_fault(walk->writing, walk->fault, at, &is_there);
		check_ended(walk, at, status, is_there);
		walk->rounds++;
	}
}

/* What the command writes without a fault, over a file that it may replace. */
static void find_content(struct walk *walk)
{
	const char *old = walk->writing->old ? walk->writing->old : "old";
	bool is_there;

	if (run_with_fault(walk->writing, "none", 0, &is_there))
		fail_msg("%s: %s", walk->writing->arguments[1], bytes_of("stderr", NULL));
	for (size_t i = 0; i < TARGETS_MOST && walk->writing->targets[i]; i++) {
		walk->new[i].bytes = bytes_of(walk->writing->targets[i], &walk->new[i].size);
		walk->old[i].bytes = bytes_of(old, &walk->old[i].size);
	}
}

static void free_content(struct walk *walk)
{
	for (size_t i = 0; i < TARGETS_MOST; i++) {
		free(walk->new[i].bytes);
		free(walk->old[i].bytes);
	}
}

static const char *const faults[] = {"full", "interrupted", "SIGKILL", "SIGTERM", "SIGINT"};

#define FAULTS	     (sizeof(faults) / sizeof(*faults))
#define FAULTS_ALIKE 3 /* from here on */

/* Each fault over each kind of target; of signals that end the program in the same way, and where SQLite writes, with
 * ten times as many calls, over one kind, unless more is asked for. */
static size_t walk_all(const struct writing *writing)
{
	bool is_all = getenv("STREAMTRACE_TEST_ALL_FAULTS");
	struct walk walk = {.writing = writing};

	find_content(&walk);
	for (size_t k = 0; k < FAULTS; k++)
		for (int before = 0; before < BEFORE_COUNT; before++) {
			walk.fault = faults[k];
			walk.before = (enum before)before;
			if (is_all || before == (int)(k % BEFORE_COUNT) ||
			    (k < FAULTS_ALIKE && !writing->is_of_sqlite))
				walk_calls(&walk);
		}
	free_content(&walk);
	print_message("%s %s: %zu rounds\n", writing->arguments[1], writing->targets[0],
		      walk.rounds);
	return walk.rounds;
}

TEST_IN_FOLDER(test_every_command)
{
	size_t rounds = 0;

	install();
	build_trace(in_folder("v1.db"), "overlap.sql", NULL);
	build_trace(in_folder("v2.db"), "overlap.sql", NULL);
	make_job();
	write_old("old");
	for (size_t i = 0; i < sizeof(old_ones) / sizeof(*old_ones); i++)
		assert_int_equal(run_with_fault(&old_ones[i], "none", 0, &(bool){false}), 0);
	for (size_t i = 0; i < sizeof(writings) / sizeof(*writings); i++)
		rounds += walk_all(&writings[i]);
	print_message("%zu rounds in all\n", rounds);
	assert_true(rounds * CALLS_STEP > 1000);
}

#define BLOCK_CALLS 400

/* A trace with calls in a block (schema.sql): of one shape, the first at 1000, each of 1 ns. */
static void build_packed(const char *name)
{
	char *sql = NULL;
	size_t size = 0;
	FILE *text = open_memstream(&sql, &size);

	fprintf(text, "INSERT INTO call_blocks VALUES (100, 77, %d, X'010100000000D00F02",
		BLOCK_CALLS);
	for (int i = 1; i < BLOCK_CALLS; i++)
		fputs("000002", text);
	fputs("')", text);
	fclose(text);
	build_trace(in_folder(name), "overlap.sql", sql);
	free(sql);
}

/* A trace is changed in place, by SQLite: no call is lost or there twice. */
TEST_IN_FOLDER(test_changes_in_place)
{
	const struct writing unpacking = {COMMAND("unpack", "v1.db"), TARGETS("v1.db")};
	size_t size, rounds = 0;
	int calls;
	char *bytes;

	build_packed("v1.db");
	bytes = bytes_of("v1.db", &size);
	calls = count_calls("v1.db");
	for (size_t k = 0; k < FAULTS; k++) {
		bool is_there = true;

		for (long at = 1; is_there; at += CALLS_STEP, rounds++) {
			int status;

			write_file(in_folder("v1.db"), bytes, size);
			unlink(in_folder("v1.db-journal"));
			status = run_with_fault(&unpacking, faults[k], at, &is_there);
			assert_int_equal(count_calls("v1.db"), calls);
			if (!status && has_bytes("v1.db", bytes, size))
				fail_msg("unpack %s at %ld: nothing was done", faults[k], at);
		}
		assert_false(has_bytes("v1.db", bytes, size));
	}
	free(bytes);
	print_message("unpack v1.db: %zu rounds\n", rounds);
}

int main(int argc, char **argv)
{
	unsetenv("STREAMTRACE_OUTPUT");

	return run_registered(argc, argv, NULL, NULL);
}
