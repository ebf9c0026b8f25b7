/* Runs the streamtrace program in a test's folder, for tests of what it prints and of its exit status. One thread. */
#ifndef STREAMTRACE_OUTCOME_H
#define STREAMTRACE_OUTCOME_H

#include "build_trace.h"
#include "cmocka_test.h"
#include "test_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a run of the program left behind. */
struct outcome {
	int status; /* as waitpid() gives it */
	char *out, *errors;
};

/* Runs file with arguments, in folder. output: where its standard output goes, instead of into
 * outcome.out; -1: nowhere else. */
static inline struct outcome run_file_into(int output, const char *file, char *const *arguments)
{
	char out[300], errors[300];
	struct outcome outcome;
	pid_t child;

	snprintf(out, sizeof(out), "%s/stdout", folder);
	snprintf(errors, sizeof(errors), "%s/stderr", folder);
	child = fork();
	if (child == 0) {
		if (!freopen(out, "w", stdout) || !freopen(errors, "w", stderr) || chdir(folder) ||
		    (output >= 0 && dup2(output, STDOUT_FILENO) < 0))
			_exit(99);
		setenv("LC_ALL", "C", 1);
		unsetenv("STREAMTRACE_OUTPUT");
		execv(file, arguments);
		_exit(99);
	}
	assert_int_equal(waitpid(child, &outcome.status, 0), child);
	outcome.out = read_file(out, NULL);
	outcome.errors = read_file(errors, NULL);
	unlink(out);
	unlink(errors);
	return outcome;
}

static inline struct outcome run_file(const char *file, char *const *arguments)
{
	return run_file_into(-1, file, arguments);
}

#define RUN(...) run_file(CLI_PATH, (char *[]){"streamtrace", __VA_ARGS__, NULL})

static inline void outcome_free(struct outcome *outcome)
{
	free(outcome->out);
	free(outcome->errors);
}

/* Ended by itself with that status. */
static inline void check_status(struct outcome *outcome, int status)
{
	if (!WIFEXITED(outcome->status) || WEXITSTATUS(outcome->status) != status)
		fail_msg("wait status %#x, not exit %d: %s", outcome->status, status,
			 outcome->errors);
}

/* Ended by itself with that status, and printed these texts among others. Frees what the outcome holds. */
static inline void check_outcome(struct outcome outcome, int status, const char *out,
				 const char *errors)
{
	check_status(&outcome, status);
	assert_non_null(strstr(outcome.out, out));
	assert_non_null(strstr(outcome.errors, errors));
	outcome_free(&outcome);
}

#endif
