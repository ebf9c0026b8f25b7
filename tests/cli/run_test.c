/*
 * `streamtrace run` as others treat it: with signals, with names that are no plain words, without /proc.
 * The traced program is this one, and the library is one that records nothing.
 */
#include "build_trace.h"
#include "cmocka_test.h"
#include "test_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

static char program[300]; /* an installed streamtrace */
static char self[300];

static void install(const char *folder_name)
{
	static const char *const folders[] = {"", "/bin", "/lib"};
	char name[300], *bytes;
	size_t length;

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		snprintf(name, sizeof(name), "%s%s", folder_name, folders[i]);
		mkdir(name, 0700);
	}
	bytes = read_file(CLI_PATH, &length);
	snprintf(program, sizeof(program), "%s/bin/streamtrace", folder_name);
	write_file(program, bytes, length);
	chmod(program, 0700);
	free(bytes);
	snprintf(name, sizeof(name), "%s/lib/libstrace.so", folder_name);
	bytes = read_file(NO_PROC_SHIM, &length);
	write_file(name, bytes, length);
	free(bytes);
}

/* A running `streamtrace run`, and what it runs. */
struct run {
	const char *program;
	pid_t runner, traced;
	FILE *out; /* what the traced program says */
	char errors[300];
};

/* Runs as a job of its own: a shell would do so. */
static void become_runner(const struct run *run, int out, const char *output, const char *mode)
{
	if (setpgid(0, 0) || chdir(folder) || dup2(out, STDOUT_FILENO) < 0 ||
	    !freopen(run->errors, "w", stderr))
		_exit(99);
	setenv("LC_ALL", "C", 1);
	if (IS_SANITIZED)
		setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
	execl(program, "streamtrace", "run", "-o", output, "--", run->program, "--traced", mode,
	      NULL);
	_exit(99);
}

static struct run start(const char *output, const char *mode)
{
	struct run run = {.program = self};
	int ends[2], traced = 0;

	snprintf(run.errors, sizeof(run.errors), "%s/stderr", folder);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	run.runner = fork();
	if (run.runner == 0)
		become_runner(&run, ends[1], output, mode);
	close(ends[1]);
	run.out = fdopen(ends[0], "r");
	assert_non_null(run.out);
	assert_int_equal(fscanf(run.out, "%d", &traced), 1);
	run.traced = traced;
	return run;
}

/* The runner's exit status, after which the traced program is not there any more. *errors: malloc'ed. */
static int finish(struct run *run, char **errors)
{
	int status;

	assert_int_equal(waitpid(run->runner, &status, 0), run->runner);
	assert_true(WIFEXITED(status));
	assert_int_equal(kill(run->traced, 0), -1);
	assert_int_equal(errno, ESRCH);
	fclose(run->out);
	*errors = read_file(run->errors, NULL);
	return WEXITSTATUS(status);
}

static void check_end(struct run *run, int status)
{
	char *errors;

	assert_int_equal(finish(run, &errors), status);
	free(errors);
}

/* Until it is in that state: T is stopped. */
static void wait_for_state(pid_t process, bool is_stopped)
{
	char name[64], state;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/stat", (int)process);
	do {
		usleep(1000);
		file = fopen(name, "r");
		assert_non_null(file);
		assert_int_equal(fscanf(file, "%*d (%*[^)]) %c", &state), 1);
		fclose(file);
	} while ((state == 'T') != is_stopped);
}

TEST_IN_FOLDER(test_what_ends_the_runner_ends_the_program)
{
	static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

	install(folder);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		struct run run = start("x.db", "pause");

		assert_int_equal(kill(run.runner, numbers[i]), 0);
		check_end(&run, 128 + numbers[i]);
	}
}

/* The program's own handler decides, and its trace is finished. */
TEST_IN_FOLDER(test_the_trace_is_finished)
{
	struct run run;
	char *errors;

	install(folder);
	build_trace(path, "overlap.sql", NULL);
	run = start("it's my [trace].db", "handle");
	assert_int_equal(kill(run.runner, SIGTERM), 0);
	assert_int_equal(finish(&run, &errors), 7);
	assert_non_null(strstr(errors, "wrote it's my [trace].db; next: streamtrace report "
				       "'it'\\''s my [trace].db'\n"));
	free(errors);
}

TEST_IN_FOLDER(test_a_stop_stops_both)
{
	struct run run;
	int status;

	install(folder);
	run = start("x.db", "pause");
	for (int round = 0; round < 2; round++) {
		assert_int_equal(kill(run.runner, SIGTSTP), 0);
		assert_int_equal(waitpid(run.runner, &status, WUNTRACED), run.runner);
		assert_true(WIFSTOPPED(status));
		wait_for_state(run.traced, true);
		assert_int_equal(kill(run.runner, SIGCONT), 0);
		wait_for_state(run.traced, false);
		wait_for_state(run.runner, false);
	}
	assert_int_equal(kill(run.runner, SIGTERM), 0);
	check_end(&run, 128 + SIGTERM);
}

TEST_IN_FOLDER(test_what_is_ignored_stays_so)
{
	struct run run;

	install(folder);
	signal(SIGHUP, SIG_IGN);
	signal(SIGCHLD, SIG_IGN);
	run = start("x.db", "pause");
	signal(SIGHUP, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	assert_int_equal(kill(run.runner, SIGHUP), 0);
	assert_int_equal(kill(run.traced, SIGHUP), 0);
	assert_int_equal(kill(run.runner, SIGTERM), 0);
	check_end(&run, 128 + SIGTERM);
}

/* What running the program prints on standard error, malloc'ed. */
static char *run_to_end(const char *traced, const char *output, int expected)
{
	struct run run = {.program = traced};
	char *errors, name[300];
	int status;

	snprintf(run.errors, sizeof(run.errors), "%s/stderr", folder);
	snprintf(name, sizeof(name), "%s/stdout", folder);
	run.runner = fork();
	if (run.runner == 0)
		become_runner(&run, open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600), output, "exit");
	assert_int_equal(waitpid(run.runner, &status, 0), run.runner);
	errors = read_file(run.errors, NULL);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != expected)
		fail_msg("wait status %#x: %s", status, errors);
	return errors;
}

TEST_IN_FOLDER(test_an_output_that_cannot_be)
{
	static const struct {
		const char *output, *errors;
	} cases[] = {
		{"text",
		 "streamtrace: text: cannot be created: a file that is not a trace is there\n"},
		{"link",
		 "streamtrace: link: cannot be created: a file that is not a trace is there\n"},
		{"none/x", "streamtrace: none/x: cannot be created: No such file or directory\n"},
		{"text/", "streamtrace: text/: cannot be created: Not a directory\n"},
		{"none/x/", "streamtrace: none/x/: cannot be created: No such file or directory\n"},
	};
	char name[300], *errors;

	install(folder);
	snprintf(name, sizeof(name), "%s/text", folder);
	write_file(name, "text", 4);
	snprintf(name, sizeof(name), "%s/link", folder);
	assert_int_equal(symlink("text", name), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		errors = run_to_end(self, cases[i].output, 3);
		assert_string_equal(errors, cases[i].errors);
		free(errors);
	}
}

/* A file that the system does not let us open is no file of another kind: as in a container's sandbox, where
 * open() is refused if it is asked for no links. */
TEST_IN_FOLDER(test_an_output_that_cannot_be_opened)
{
	struct sock_filter rows[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_NOFOLLOW, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof(rows) / sizeof(*rows), rows};
	char name[300], *errors;
	int status;
	pid_t child;

	install(folder);
	snprintf(name, sizeof(name), "%s/stderr", folder);
	build_trace(path, NULL, NULL);
	child = fork();
	if (child == 0) {
		if (!freopen(name, "w", stderr) || chdir(folder) ||
		    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0))
			_exit(99);
		execl(program, "streamtrace", "run", "-o", "trace.db", "true", (char *)NULL);
		_exit(99);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	errors = read_file(name, NULL);
	assert_string_equal(errors,
			    "streamtrace: trace.db: cannot be created: Operation not permitted\n");
	assert_int_equal(WEXITSTATUS(status), 3);
	free(errors);
}

/* It is made, and what the program gets is its path, whatever characters that has. */
TEST_IN_FOLDER(test_an_output_that_is_a_folder)
{
	static const char *const outputs[] = {"100%% of.it/", "100%% of.it", "new/", "new/",
					      "50% off/"};
	static const char *const made[] = {"new", "50% off"};
	char name[300], *errors;
	struct stat status;

	install(folder);
	snprintf(name, sizeof(name), "%s/100%%%% of.it", folder);
	mkdir(name, 0700);
	for (size_t i = 0; i < sizeof(outputs) / sizeof(*outputs); i++) {
		errors = run_to_end(self, outputs[i], 5);
		assert_non_null(strstr(errors, "no trace was written"));
		free(errors);
	}
	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++) {
		snprintf(name, sizeof(name), "%s/%s", folder, made[i]);
		assert_int_equal(stat(name, &status), 0);
		assert_true(S_ISDIR(status.st_mode));
	}
}

TEST_IN_FOLDER(test_without_proc)
{
	char *errors;

	install(folder);
	setenv("LD_PRELOAD", NO_PROC_SHIM, 1);
	errors = run_to_end(self, "x.db", 5);
	assert_non_null(strstr(errors, "no trace was written"));
	free(errors);
	unsetenv("LD_PRELOAD");
}

/* Its runtime ends a program that loads another library first. */
TEST_IN_FOLDER(test_a_program_with_address_sanitizer)
{
#ifdef ASAN_APP
	char *errors;

	install(folder);
	errors = run_to_end(ASAN_APP, "x.db", 5);
	assert_non_null(strstr(errors, "no trace was written"));
	free(errors);
#else
	skip(); /* this compiler puts the runtime into the program */
#endif
}

/* musl's loader would end it: it is said before, and nothing is preloaded. */
TEST_IN_FOLDER(test_a_program_of_another_c_library)
{
	char *errors;

	install(folder);
	errors = run_to_end(MUSL_APP, "x.db", 5);
	assert_non_null(strstr(errors, "will run untraced: it is linked with musl"));
	free(errors);
}

static void write_trace_and_exit(int number)
{
	static const char copy[] = "cp trace.db \"$STREAMTRACE_OUTPUT\"";

	_exit(system(copy) == 0 ? 7 : 8);
}

/* The traced program: says who it is, and does what the mode says. */
static int traced_main(const char *mode)
{
	if (!strcmp(mode, "exit"))
		return 5;
	if (!strcmp(mode, "handle"))
		signal(SIGTERM, write_trace_and_exit);
	printf("%d\n", (int)getpid());
	fflush(stdout);
	for (;;)
		pause();
}

/* Makes FOLDER/BELOW of one line of shell. */
static void write_shell_script(const char *below, const char *line, mode_t mode)
{
	char name[300], text[100];

	snprintf(name, sizeof(name), "%s/%s", folder, below);
	snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", line);
	write_file(name, text, strlen(text));
	chmod(name, mode);
}

/* `run ARGUMENTS`, where python3 is FOLDER/bin/python3, prints the line. */
static void check_run_prints(const char *arguments, const char *expected)
{
	char command[1500], line[300] = "";
	FILE *out;

	snprintf(command, sizeof(command), "cd %s; PATH=%s/bin:$PATH %s run -o t.db %s 2>/dev/null",
		 folder, folder, program, arguments);
	out = popen(command, "r");
	assert_non_null(out);
	assert_non_null(fgets(line, sizeof(line), out));
	pclose(out);
	assert_string_equal(line, expected);
}

/* A script that is no program by itself runs with python3, all with the interpreter that --python names. */
TEST_IN_FOLDER(test_python_script)
{
	install(folder);
	write_shell_script("bin/python3", "echo python3 $@", 0700);
	write_shell_script("other", "echo other $@", 0700);
	write_shell_script("t.py", "echo itself $@", 0600);
	write_shell_script("u.py", "echo itself $@", 0700);
	check_run_prints("t.py --epochs=3", "python3 t.py --epochs=3\n");
	check_run_prints("./u.py 1", "itself 1\n");
	check_run_prints("--python=./other t.py 1", "other t.py 1\n");
	check_run_prints("--python=./other ./u.py 1", "other ./u.py 1\n");
	check_run_prints("--python=./other bin/python3 1", "python3 1\n");
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--traced"))
		return traced_main(argv[2]);
	assert_int_equal(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0, 1);
	/* A shell that runs tests in the background ignores them, and so would what is run here. */
	signal(SIGHUP, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);

	return run_registered(argc, argv, NULL, NULL);
}
