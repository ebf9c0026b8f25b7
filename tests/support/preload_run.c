#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "preload_run.h"

static void redirect(const char *path, int fd)
{
	const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (file < 0 || dup2(file, fd) < 0)
		_exit(126);
	close(file);
}

/* The child's side of run_start(). */
static void become(const struct run *run, const char *program, const char *argument,
		   bool with_libstrace, const char *const *environment)
{
	char preload[2048];

	if (chdir(run->folder))
		_exit(126);
	redirect("out", STDOUT_FILENO);
	redirect("err", STDERR_FILENO);
	setenv("LD_LIBRARY_PATH", FAKE_FOLDER, 1);
	setenv("STREAMTRACE_OUTPUT", run->trace, 1);
	/* On a busy machine no exit may stop waiting, which counts as a loss. An exit that waits
	 * where it must not is ended by CTest's time limit. */
	setenv("STREAMTRACE_EXIT_TIMEOUT_MS", "3600000", 1);
	/* A sanitizer's runtime wants to be the first library, and it is not. */
	setenv("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0", 1);
	setenv("TSAN_OPTIONS", "die_after_fork=0:suppressions=" TSAN_SUPPRESSIONS, 1);
#ifdef __SANITIZE_THREAD__
	/* In a forked child ThreadSanitizer sees no thread's end, and ends the child that starts a
	 * thread on the stack of one that has ended. The scenarios have it in their names. */
	if (argument && strstr(argument, "fork"))
		setenv("STREAMTRACE_HOST", "0", 1);
#endif
	for (; environment && *environment; environment++)
		putenv((char *)*environment);
	if (with_libstrace) {
		snprintf(preload, sizeof(preload), "%s %s", LIBSTRACE_PATH,
			 getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "");
		setenv("LD_PRELOAD", preload, 1);
	}
	execl(program, program, argument, (char *)NULL);
	_exit(127);
}

static char *read_file(const struct run *run, const char *name)
{
	char path[96];
	char *text = NULL;
	size_t size = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", run->folder, name);
	file = fopen(path, "r");
	if (!file)
		return strdup(""); /* killed before it began */
	if (getdelim(&text, &size, '\0', file) < 0) {
		free(text);
		text = strdup("");
	}
	fclose(file);
	return text;
}

void run_launch(struct run *run, const char *program, const char *argument, bool with_libstrace,
		const char *const *environment)
{
	memset(run, 0, sizeof(*run));
	strcpy(run->folder, "/tmp/preload_test.XXXXXX");
	assert_non_null(mkdtemp(run->folder));
	snprintf(run->trace, sizeof(run->trace), "%s/trace.db", run->folder);
	run->pid = fork();
	assert_true(run->pid >= 0);
	if (!run->pid)
		become(run, program, argument, with_libstrace, environment);
}

void run_wait(struct run *run)
{
	assert_int_equal(waitpid(run->pid, &run->status, 0), run->pid);
	run->out = read_file(run, "out");
	run->err = read_file(run, "err");
}

static int64_t count_flushes(const struct run *run)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *statement = NULL;
	int64_t count = 0;

	if (!sqlite3_open_v2(run->trace, &db, SQLITE_OPEN_READONLY, NULL) &&
	    !sqlite3_prepare_v2(db, "SELECT count(*) FROM clock_samples", -1, &statement, NULL) &&
	    sqlite3_step(statement) == SQLITE_ROW)
		count = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(db);
	return count;
}

/* The flush after the next one has begun after this call. */
void run_kill_flushed(struct run *run)
{
	char path[96];
	int64_t flushes;

	snprintf(path, sizeof(path), "%s/waiting", run->folder);
	while (access(path, F_OK))
		usleep(10000);
	for (flushes = count_flushes(run); count_flushes(run) < flushes + 2;)
		usleep(50000);
	kill(run->pid, SIGKILL);
	run_wait(run);
	unlink(path);
}

void run_start(struct run *run, const char *program, const char *argument, bool with_libstrace,
	       const char *const *environment)
{
	run_launch(run, program, argument, with_libstrace, environment);
	run_wait(run);
}

void run_open_as_it_is(struct run *run)
{
	assert_int_equal(sqlite3_open_v2(run->trace, &run->db, SQLITE_OPEN_READWRITE, NULL),
			 SQLITE_OK);
	assert_string_equal(run_text(run, "PRAGMA integrity_check"), "ok");
}

void run_open(struct run *run)
{
	char command[512];

	run_open_as_it_is(run);
	/* Killed before it had a table. */
	if (!run_number(run, "SELECT count(*) FROM sqlite_schema") ||
	    !run_number(run, "SELECT EXISTS (SELECT 1 FROM call_blocks)"
			     " OR EXISTS (SELECT 1 FROM operation_blocks)"))
		return;
	snprintf(command, sizeof(command), "%s unpack %s >%s/unpack 2>&1", CLI_PATH, run->trace,
		 run->folder);
	assert_int_equal(system(command), 0);
	snprintf(command, sizeof(command), "%s/unpack", run->folder);
	unlink(command);
}

/* Calls visit() for each file of the run's own, returns their number. */
static int each_file(const struct run *run, void (*visit)(const char *path))
{
	DIR *folder = opendir(run->folder);
	struct dirent *entry;
	char path[sizeof(run->folder) + sizeof(entry->d_name)];
	int count = 0;

	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		snprintf(path, sizeof(path), "%s/%s", run->folder, entry->d_name);
		if (visit)
			visit(path);
		count += strcmp(entry->d_name, "out") && strcmp(entry->d_name, "err");
	}
	closedir(folder);
	return count;
}

int64_t run_calls(struct run *run, int thread_id)
{
	return run_number(run,
			  "SELECT (SELECT count(*) FROM calls WHERE %d IN (0, thread_id))"
			  " + (SELECT coalesce(sum(calls), 0) FROM call_blocks"
			  " WHERE %d IN (0, thread_id))",
			  thread_id, thread_id);
}

int run_lines(const char *text)
{
	int lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

const char *run_next_line(const char *output, const char *word)
{
	const size_t length = strlen(word);

	for (; output && *output; output = strchr(output, '\n') + 1)
		if (!strncmp(output, word, length) && output[length] == ' ')
			return output + length + 1;
	return NULL;
}

int run_file_count(const struct run *run)
{
	return each_file(run, NULL);
}

static void remove_file(const char *path)
{
	unlink(path);
}

void run_end(struct run *run)
{
	sqlite3_close(run->db);
	each_file(run, remove_file);
	rmdir(run->folder);
	free(run->out);
	free(run->err);
}

static sqlite3_stmt *query(struct run *run, const char *format, va_list arguments)
{
	char *sql = sqlite3_vmprintf(format, arguments);
	sqlite3_stmt *statement = NULL;

	if (sqlite3_prepare_v2(run->db, sql, -1, &statement, NULL))
		fail_msg("%s: %s", sql, sqlite3_errmsg(run->db));
	if (sqlite3_step(statement) != SQLITE_ROW)
		fail_msg("%s: no row (%s)", sql, sqlite3_errmsg(run->db));
	sqlite3_free(sql);
	return statement;
}

int64_t run_number(struct run *run, const char *sql, ...)
{
	sqlite3_stmt *statement;
	va_list arguments;
	int64_t number;

	va_start(arguments, sql);
	statement = query(run, sql, arguments);
	va_end(arguments);
	number = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return number;
}

const char *run_text(struct run *run, const char *sql, ...)
{
	static char text[4096];
	const unsigned char *column;
	sqlite3_stmt *statement;
	va_list arguments;

	va_start(arguments, sql);
	statement = query(run, sql, arguments);
	va_end(arguments);
	column = sqlite3_column_text(statement, 0);
	snprintf(text, sizeof(text), "%s", column ? (const char *)column : "");
	sqlite3_finalize(statement);
	return text;
}
