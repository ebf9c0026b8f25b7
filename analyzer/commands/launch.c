#include "commands/launch.h"

#include "base/memory.h"
#include "commands/command.h"
#include "commands/options.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRIAL_VARIABLE "STREAMTRACE_TRY"

/* From this program's own folder. The build says where the library is installed. */
#define BUILT_LIBRARY_FOLDER "../lib"

/* As LD_PRELOAD can name it; NULL: it cannot, which is said. Takes `library`. */
static char *check_name(char *library)
{
	if (!strpbrk(library, " :"))
		return library;
	command_note("%s: LD_PRELOAD cannot name it: a space or a colon ends a name there; "
		     "install streamtrace elsewhere",
		     library);
	free(library);
	return NULL;
}

/* This program's folder. False: neither /proc nor the kernel's word for how it was started tells. */
static bool find_own_folder(char folder[PATH_MAX])
{
	const char *started_as = (const char *)getauxval(AT_EXECFN);
	ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);

	if (length >= 0)
		folder[length] = '\0';
	else if (!started_as || !realpath(started_as, folder))
		return false;
	*strrchr(folder, '/') = '\0';
	return true;
}

/* The library beside this program, or NULL. malloc'ed. */
static char *find_library(const char *name, bool is_quiet)
{
	static const char *const folders[] = {BUILT_LIBRARY_FOLDER, INSTALLED_LIBRARY_FOLDER};
	char self[PATH_MAX], *path, *real;
	size_t i;

	if (!find_own_folder(self)) {
		if (!is_quiet)
			command_note("%s is not found: /proc is not mounted", name);
		return NULL;
	}
	for (i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		path = memory_format("%s/%s/%s", self, folders[i], name);
		real = realpath(path, NULL);
		free(path);
		if (real && is_quiet && strpbrk(real, " :")) {
			free(real);
			return NULL;
		}
		if (real)
			return check_name(real);
	}
	if (is_quiet)
		return NULL;
	command_note("%s is missing: it is not in %s/%s", name, self, INSTALLED_LIBRARY_FOLDER);
	return NULL;
}

char *launch_find_library_quietly(void)
{
	return find_library("libstrace.so", true);
}

static char *find_with_touch(const char *name, bool has_touch)
{
	char *library = find_library(name, false), *touch, *both;

	if (!library || !has_touch)
		return library;
	touch = find_library("libstrace_touch.so", false);
	both = touch ? memory_format("%s:%s", library, touch) : NULL;
	free(touch);
	free(library);
	return both;
}

char *launch_find_libraries(bool has_touch)
{
	return find_with_touch("libstrace.so", has_touch);
}

char *launch_find_trial_libraries(bool has_touch)
{
	return find_with_touch("libstrace_try.so", has_touch);
}

/* Sets the variable to more and its own value, in either order. False: out of memory. */
static bool extend_variable(const char *name, const char *more, bool is_before)
{
	const char *value = getenv(name);
	char *longer;
	bool ok;

	if (!value || !*value)
		return !setenv(name, more, 1);
	longer = memory_format("%s:%s", is_before ? more : value, is_before ? value : more);
	ok = !setenv(name, longer, 1);
	free(longer);
	return ok;
}

/* value: NULL: leaves it. False: out of memory. */
static bool set_variable(enum variable variable, const char *value)
{
	return !value || !setenv(variable_rows[variable].name, value, 1);
}

/* False: out of memory. */
static bool set_more(const struct launch *launch)
{
	bool ok = !launch->trial || !setenv(TRIAL_VARIABLE, launch->trial, 1);

	for (const char *const *word = launch->more; ok && word && *word; word += 2)
		ok = !setenv(word[0], word[1], 1);
	return ok;
}

/* False: out of memory. */
static bool set_environment(const struct launch *launch)
{
	/* A program that is started twice keeps both its traces; an older one is replaced. */
	char *keep_since = memory_format("%lld", (long long)launch->since.tv_sec * 1000000000LL +
							 launch->since.tv_nsec);
	bool ok = (!launch->libraries || extend_variable("LD_PRELOAD", launch->libraries, true)) &&
		  (!launch->is_for_asan ||
		   extend_variable("ASAN_OPTIONS", "verify_asan_link_order=0", false)) &&
		  set_variable(VARIABLE_OUTPUT, launch->output) &&
		  set_variable(VARIABLE_FIRST_USE, launch->first_use) &&
		  set_variable(VARIABLE_RACES, launch->races) &&
		  set_variable(VARIABLE_MODE, launch->mode) &&
		  set_variable(VARIABLE_STEPS, launch->steps) &&
		  set_variable(VARIABLE_STEP, launch->step) &&
		  set_variable(VARIABLE_TELL, launch->tell) &&
		  set_variable(VARIABLE_KEEP_SINCE_NS, keep_since) &&
		  set_variable(VARIABLE_RUN, *launch->run ? launch->run : NULL) && set_more(launch);

	free(keep_since);
	return ok;
}

/* False: /dev/null cannot be opened. */
static bool set_streams(enum launch_output output_to)
{
	const bool is_discarded = output_to == LAUNCH_DISCARDED;
	int nowhere;

	if (output_to == LAUNCH_ON_ERRORS)
		return dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
	if (!is_discarded)
		return true;
	nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	return nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0 &&
	       dup2(nowhere, STDERR_FILENO) >= 0 &&
	       (lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0 || dup2(nowhere, STDIN_FILENO) >= 0);
}

/* In the child. Comes back where it cannot. */
static void start_program(char **argv, const struct launch *launch, const struct signals *signals)
{
	signals_leave(signals);
	if (set_environment(launch) && (!launch->limit_ms || setsid() >= 0) &&
	    set_streams(launch->output_to))
		execvp(argv[0], argv);
}

pid_t launch_start(char **argv, const struct launch *launch, struct signals *signals)
{
	int report[2], error = 0;
	pid_t child;

	if (pipe2(report, O_CLOEXEC))
		return -1;
	signals_take(signals);
	child = fork();
	if (child == 0) {
		start_program(argv, launch, signals);
		error = errno;
		_exit(write(report[1], &error, sizeof(error)) == sizeof(error) ? 127 : 126);
	}
	if (child < 0)
		error = errno;
	close(report[1]);
	/* Ends empty when exec closed the other end. */
	if (child > 0 && read(report[0], &error, sizeof(error)) == sizeof(error))
		waitpid(child, NULL, 0);
	close(report[0]);
	if (error)
		signals_give_back(signals);
	errno = error;
	return error ? -1 : child;
}

int launch_wait(pid_t child, const struct launch *launch, const struct signals *signals,
		struct signals_news *news)
{
	int status = signals_wait(signals, child, launch->limit_ms, news);

	/* A second signal must not end what the first one waits for. */
	if (!news->is_asked)
		signals_give_back(signals);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
