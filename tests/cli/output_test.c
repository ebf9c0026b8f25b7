/*
 * What commands write: never over what somebody needs, and in the way that each kind of file needs. fault_test.c has
 * what happens in the middle of it.
 */
#include "cmocka_test.h"
#include "in_folder.h"

#include <sys/wait.h>

static char *out, *errors; /* of the last run() */

/* The shell's command in the folder, where $S is the program; the wait status. */
static int run_shell(const char *script)
{
	char command[5000], name[300];
	int status;

	snprintf(command, sizeof(command),
		 "cd %s && export LC_ALL=C S=" CLI_PATH " && { %s; } >stdout 2>stderr", folder,
		 script);
	status = system(command);
	free(out);
	free(errors);
	snprintf(name, sizeof(name), "%s/stdout", folder);
	out = read_file(name, NULL);
	snprintf(name, sizeof(name), "%s/stderr", folder);
	errors = read_file(name, NULL);
	return status;
}

/* Runs the script, which must end with the status and say one line that has the text; "": nothing. */
static void check_run(const char *script, int status, const char *text)
{
	int ended = run_shell(script);
	char *newline = strchr(errors, '\n');

	if (!WIFEXITED(ended) || WEXITSTATUS(ended) != status || !strstr(errors, text) ||
	    (*text ? !newline || newline[1] : *errors))
		fail_msg("%s: wait status %#x, not exit %d, or no '%s': %s", script, ended, status,
			 text, errors);
}

/* The script must be refused so, and the file stays as it is. */
static void check_refused(const char *script, int status, const char *text, const char *name)
{
	size_t size;
	char *before = bytes_of(name, &size);

	check_run(script, status, text);
	if (!has_bytes(name, before, size))
		fail_msg("%s: %s has changed", script, name);
	free(before);
}

static int tear_down(void **state)
{
	free(out);
	free(errors);
	out = errors = NULL;
	return test_folder_tear_down(state);
}

#define OUTPUT_TEST(name) TEST_WITH(name, test_folder_set_up, tear_down)

/* What a gate reads is not what it writes, by whatever name, and nothing is done before that is known. */
OUTPUT_TEST(test_inputs_of_gates)
{
	make_traces();
	write_file(in_folder("allow.txt"), "# nothing\n", 10);
	assert_int_equal(symlink("v2.db", in_folder("link.db")), 0);
	assert_int_equal(link(in_folder("allow.txt"), in_folder("hard.txt")), 0);
	check_refused("$S check --sarif=v1.db v2.db", 2, "v1.db: is a trace", "v1.db");
	check_refused("$S check --junit=v1.db v1.db", 2, "v1.db: is a trace", "v1.db");
	check_refused("$S check --junit=link.db v1.db", 2, "link.db: is a trace", "v2.db");
	check_refused("$S diff --junit=v2.db v1.db v2.db", 2, "v2.db: is a trace", "v2.db");
	check_refused("$S check --allow=allow.txt --sarif=allow.txt v1.db", 2,
		      "allow.txt: is read, and would be replaced", "allow.txt");
	check_refused("$S check --allow=allow.txt --junit=./hard.txt v1.db", 2,
		      "./hard.txt: is read", "allow.txt");
	check_run("$S check --sarif=x --junit=./x v1.db", 2, "./x: two outputs");
	check_run("ln -s x y; $S check --sarif=x --junit=y v1.db", 2, "y: two outputs");
	assert_false(has_file("x"));
	check_run("$S check --no-measure --sarif=/dev/null --junit=/dev/null v1.db", 0, "");
}

/* What SQLite has beside a trace holds the newest rows of it. */
OUTPUT_TEST(test_files_of_databases)
{
	make_traces();
	write_old("v1.db-wal");
	check_refused("$S export --format=csv -o v1.db-wal v2.db", 2, "belongs to a database",
		      "v1.db-wal");
	check_refused("$S report -o ./v1.db-wal v2.db", 2, "belongs to a database", "v1.db-wal");
	check_refused("ln -s v1.db-wal log; $S report -o log v2.db", 2, "belongs to a database",
		      "v1.db-wal");
	check_run("$S report -o v2.db-shm v2.db", 2, "belongs to a database");
	check_run("$S check --sarif=v2.db-journal v2.db", 2, "belongs to a database");
	assert_false(has_file("v2.db-shm"));
}

OUTPUT_TEST(test_old_files_stay)
{
	make_traces();
	write_old("old");
	check_refused("$S report -o old missing.db", 3, "missing.db: No such file", "old");
	check_refused("$S report --format=json -o old missing.db", 3, "missing.db: No such", "old");
	check_refused("$S export --format=csv -o old missing.db", 3, "missing.db: No such", "old");
	check_refused("$S report -o old v1.db -o /dev/full", 3, "/dev/full: No space left", "old");
	check_refused("ulimit -f 1; $S report --format=html -o old v1.db", 3, "old: File too large",
		      "old");
	check_refused("ulimit -f 1; $S export --format=kineto -o old v1.db", 3, "old: File too",
		      "old");
	check_refused("ulimit -f 1; $S export --format=nsys -o old v1.db", 3, "old: ", "old");
	check_refused("$S report -o . v1.db", 3, ".: Is a directory", "old");
	check_refused("$S report -o no/old v1.db", 3, "no/old: No such file", "old");
	check_refused("ln -s loop loop; $S report -o loop v1.db", 3, "loop: Too many levels",
		      "old");
	check_run("$S check --sarif=no/x v1.db", 3, "no/x: No such file");
}

/* As somebody who may do less than root, where the tests run as root. */
static void check_as_user(const char *script, int status, const char *text)
{
	char command[2000];

	snprintf(command, sizeof(command), "%s%s",
		 geteuid() ? ""
			   : "set -- setpriv --reuid=65534 --regid=65534 --clear-groups; S=\"$* "
			     "$S\"; ",
		 script);
	assert_int_equal(chmod(folder, 0755), 0);
	check_run(command, status, text);
}

OUTPUT_TEST(test_rights)
{
	struct stat status;

	make_traces();
	assert_int_equal(chmod(in_folder("v1.db"), 0644), 0);
	write_old("mine");
	assert_int_equal(chmod(in_folder("mine"), 0640), 0);
	check_run("umask 027; $S report --no-measure -o mine v1.db", 0, "");
	assert_int_equal(stat(in_folder("mine"), &status), 0);
	assert_int_equal(status.st_mode & 07777, 0640);
	check_run("umask 027; $S report --no-measure -o new v1.db", 0, "");
	assert_int_equal(stat(in_folder("new"), &status), 0);
	assert_int_equal(status.st_mode & 07777, 0640);
	if (!geteuid()) {
		/* Root leaves a file to whose it is. */
		assert_int_equal(chown(in_folder("mine"), 1234, 1235), 0);
		check_run("$S report --no-measure -o mine v1.db", 0, "");
		assert_int_equal(stat(in_folder("mine"), &status), 0);
		assert_int_equal(status.st_uid, 1234);
		assert_int_equal(status.st_gid, 1235);
		assert_int_equal(status.st_mode & 07777, 0640);
	}
	/* A file that may not be written stays, even where its folder may be. */
	write_old("kept");
	assert_int_equal(chmod(in_folder("kept"), 0444), 0);
	assert_int_equal(chmod(folder, 0777), 0);
	if (geteuid() || !system("command -v setpriv >/dev/null")) {
		check_as_user("$S report --no-measure -o kept v1.db", 3, "kept: Permission denied");
		assert_int_equal(chmod(in_folder("kept"), 0666), 0);
		assert_int_equal(chmod(folder, 0555), 0);
		check_as_user("chmod 555 . 2>/dev/null; $S report --no-measure -o kept v1.db", 3,
			      "kept: cannot be replaced, for its folder is not writable");
		assert_int_equal(chmod(folder, 0755), 0);
	}
	assert_true(has_bytes("kept", OLD, strlen(OLD)));
}

/* A link stays and leads to the new file, which may be the first; what is no file is written straight. */
OUTPUT_TEST(test_links_and_devices)
{
	struct stat status;
	char *whole;
	size_t size;

	make_traces();
	write_old("target");
	check_run("$S report --no-measure -o whole v1.db", 0, "");
	whole = bytes_of("whole", &size);
	check_run("mkdir f; ln -s ../target f/link; ln -s f/link link; $S report --no-measure -o "
		  "link v1.db",
		  0, "");
	assert_int_equal(lstat(in_folder("f/link"), &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_true(has_bytes("target", whole, size));
	check_run("ln -s nowhere dangling; $S report --no-measure -o dangling v1.db", 0, "");
	assert_true(has_bytes("nowhere", whole, size));
	/* Another name of the old file keeps that. */
	write_old("one");
	check_run("ln one two; $S report --no-measure -o one v1.db", 0, "");
	assert_true(has_bytes("one", whole, size));
	assert_true(has_bytes("two", OLD, strlen(OLD)));
	check_run("$S report --no-measure -o /dev/stdout v1.db", 0, "");
	assert_string_equal(out, whole);
	write_old("log");
	check_run("$S report --no-measure -o /dev/stdout v1.db >>log; "
		  "$S report --no-measure -o /dev/fd/3 v1.db 3>third; mkfifo pipe; "
		  "cat pipe >fourth & $S report --no-measure -o pipe v1.db; wait",
		  0, "");
	assert_true(has_bytes("third", whole, size));
	assert_true(has_bytes("fourth", whole, size));
	assert_int_equal(stat(in_folder("log"), &status), 0);
	assert_int_equal(status.st_size, size + strlen(OLD));
	assert_int_equal(stat(in_folder("pipe"), &status), 0);
	assert_true(S_ISFIFO(status.st_mode));
	/* The longest name that a file can have. */
	check_run("$S report --no-measure -o $(printf %0255d 0) v1.db", 0, "");
	check_run("$S report --no-measure -o $(printf %0256d 0) v1.db", 3, "File name too long");
	free(whole);
}

OUTPUT_TEST(test_summaries)
{
	make_traces();
	write_old("v1.summary.db");
	check_refused("$S summarize v1.db", 2, "v1.summary.db: is no summary", "v1.summary.db");
	build_trace(in_folder("v1.summary.db"), "overlap.sql", NULL);
	check_refused("$S summarize v1.db", 2, "v1.summary.db: is no summary", "v1.summary.db");
	unlink(in_folder("v1.summary.db"));
	check_run("sqlite3 v1.summary.db 'CREATE TABLE mine (a)' 2>&1 || cp v1.db v1.summary.db", 0,
		  "");
	check_refused("$S summarize v1.db", 2, "v1.summary.db: is no summary", "v1.summary.db");
	unlink(in_folder("v1.summary.db"));
	check_run("$S summarize v1.db", 0, "wrote 1 summary");
	check_run("$S summarize v1.db", 0, "wrote 1 summary");
	check_refused("$S report -o v1.summary.db v2.db", 2, "is a summary of a trace",
		      "v1.summary.db");
}

/* A program to trace, which copies a trace, and a library that is none: `install` makes bin/streamtrace. */
static void install(void)
{
	check_run("mkdir bin lib && cp $S bin/streamtrace && : >lib/libstrace.so", 0, "");
}

#define TRACED "bin/streamtrace run --no-measure"

/* The report beside a trace takes the place of an earlier report, of nothing else. The first format, text, goes to
 * standard output. */
OUTPUT_TEST(test_reports_beside_a_trace)
{
	static const char *const formats[] = {
#define FORMAT(name, meaning, of_report, ...) of_report(#name, )
#include "render/output_formats.def"
#undef FORMAT
	};
	char script[500], name[20];

	install();
	make_traces();
	for (size_t i = 1; i < sizeof(formats) / sizeof(*formats); i++) {
		if (!strcmp(formats[i], "problems")) /* goes to standard output */
			continue;
		/* The trace has the report's name. */
		snprintf(
			script, sizeof(script),
			TRACED
			" -o app.%s --report=%s cp v1.db app.%s 2>said && grep -q 'wrote app.2.%s' "
			"said && cmp app.2.%s app.3.%s 2>said; $S info app.%s >said",
			formats[i], formats[i], formats[i], formats[i], formats[i], formats[i],
			formats[i]);
		check_run(script, 0, "");
		/* Another one's file has it. */
		snprintf(name, sizeof(name), "mine.%s", formats[i]);
		write_old(name);
		snprintf(
			script, sizeof(script),
			TRACED
			" -o mine.db --report=%s cp v1.db mine.db 2>said && grep -q 'mine.%s is no "
			"report, and stays' said && test -s mine.2.%s",
			formats[i], formats[i], formats[i]);
		check_refused(script, 0, "", name);
		/* An earlier report has it. */
		snprintf(script, sizeof(script),
			 TRACED " -o own.db --report=%s cp v1.db own.db 2>said && echo mark "
				">>own.%s && " TRACED
				" -o own.db --report=%s cp v1.db own.db 2>said && "
				"grep -q 'wrote own.%s$' said && ! grep -q XMARKX own.%s",
			 formats[i], formats[i], formats[i], formats[i], formats[i]);
		check_run(script, 0, "");
		/* One of several traces has it. */
		snprintf(script, sizeof(script),
			 "$S report --no-measure --format=%s -o two.%s v1.db v2.db && echo mark "
			 ">>two.%s && " TRACED
			 " -o two.db --report=%s cp v1.db two.db 2>said && ! grep -q XMARKX two.%s",
			 formats[i], formats[i], formats[i], formats[i], formats[i]);
		check_run(script, 0, "");
	}
	/* That of a job. */
	make_job();
	for (size_t i = 1; i < sizeof(formats) / sizeof(*formats); i++) {
		if (!strcmp(formats[i], "problems")) /* goes to standard output */
			continue;
		snprintf(script, sizeof(script),
			 "$S report --format=%s -o job.%s job && echo XMARKX >>job.%s && " TRACED
			 " -o job.db --report=%s cp v1.db job.db 2>said && ! grep -q XMARKX job.%s",
			 formats[i], formats[i], formats[i], formats[i], formats[i]);
		check_run(script, 0, "");
	}
	check_refused(TRACED " -o v1.db --first-use=v1.db true", 2, "v1.db: is read", "v1.db");
	write_old("v1.db-journal");
	unlink(in_folder("v1.db-journal"));
	check_run(TRACED " -o v1.db-journal true", 3, "belongs to a database");
}

/* One name of 500 KB, and many kernels of it. */
static void build_long(const char *name, int kernels, const char *text)
{
	char sql[1000];

	snprintf(sql, sizeof(sql),
		 "UPDATE strings SET text = %s;"
		 "WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
		 "INSERT INTO operations (id, kind, start_ns, end_ns, device_id, context_id,"
		 " stream_id, correlation_id, name_id) SELECT i, 1, 1100000000 + i, 1100000000 + "
		 "i, 0, 1, 13, i, 1 "
		 "FROM n",
		 text, 9 + kernels);
	build_trace(in_folder(name), "overlap.sql", sql);
}

#define LONG_NAME "printf('%.*c', 500000, 'k')"

/* They are cut, which the text and the output say. */
OUTPUT_TEST(test_long_texts)
{
	static const char *const formats[] = {"csv", "kineto", "perfetto"};
	char script[500], *text;
	struct stat status;

	build_long("long.db", 100, LONG_NAME);
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		snprintf(script, sizeof(script),
			 "$S export --format=%s -o long long.db 2>said; grep -v ': times count' "
			 "said >&2",
			 formats[i]);
		check_run(script, 0, "long.db: 1 text of more than 64 KB was cut");
		assert_int_equal(stat(in_folder("long"), &status), 0);
		assert_in_range(status.st_size, 65536, 102 * 66000);
		text = bytes_of("long", NULL);
		if (i < 2)
			assert_non_null(strstr(text, "kkk...(cut, of 500000 bytes)"));
		free(text);
	}
	check_run("$S report --no-measure long.db | tr '\\n' ' '", 0, "");
	if (!strstr(out, "long texts: 1 had more than 64 KB"))
		fail_msg("%s", out);
	/* Not in the middle of a character. */
	build_long("long.db", 1, "replace(printf('%.*c', 50000, 'k'), 'k', 'ké€')");
	check_run(
		"$S export --format=csv -o long long.db 2>said; iconv -f UTF-8 -t UTF-8 long >said",
		0, "");
	text = bytes_of("long", NULL);
	assert_non_null(strstr(text, "...(cut, of 300000 bytes)"));
	free(text);
}

/* How large a file becomes is said before anything is written. */
OUTPUT_TEST(test_large_files)
{
	build_long("long.db", 15500, LONG_NAME);
	check_run("$S export --format=kineto -o /dev/full long.db 2>said; tail -n +2 said | head "
		  "-1 >&2; "
		  "grep -q '^streamtrace: /dev/full: No space left on device$' said",
		  0, "streamtrace: /dev/full: will have 1.0");
}

int main(int argc, char **argv)
{
	unsetenv("STREAMTRACE_OUTPUT");
	return run_registered(argc, argv, NULL, NULL);
}
