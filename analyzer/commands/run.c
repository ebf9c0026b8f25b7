#include "commands/command.h"

#include "base/memory.h"
#include "commands/finish.h"
#include "commands/launch.h"
#include "commands/reach.h"
#include "commands/reporting.h"
#include "facts/format.h"
#include "findings/first_use_question.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As libstrace.so judges it: what is there is replaced if it is a trace, or empty. */
static bool is_replaceable(const char *output)
{
	unsigned char header[72];
	struct stat status;
	ssize_t size;
	int file;

	if (lstat(output, &status))
		return true;
	if (!S_ISREG(status.st_mode))
		return false;
	file = open(output, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	size = file >= 0 ? pread(file, header, sizeof(header), 0) : -1;
	if (file >= 0)
		close(file);
	return size == 0 || (size == sizeof(header) && !memcmp(header, "SQLite format 3", 16) &&
			     !memcmp(header + 68, FORMAT_APPLICATION_BYTES, 4));
}

/* Why the trace cannot be created, as far as can be told before the program runs. NULL: nothing known. */
static const char *output_obstacle(const char *output)
{
	const char *slash = strrchr(output, '/');
	char *folder = slash ? memory_format("%.*s", (int)(slash - output + 1), output)
			     : memory_format(".");
	const bool is_writable = strchr(folder, '%') || access(folder, W_OK) == 0;
	struct stat status;

	free(folder);
	if (!is_writable)
		return strerror(errno);
	if (strchr(output, '%'))
		return NULL;
	if (stat(output, &status) == 0 && S_ISDIR(status.st_mode))
		return "it is a folder: give the trace a name in it";
	return is_replaceable(output) ? NULL : "a file that is not a trace is there";
}

static bool check_output(const char *output)
{
	const char *obstacle = output_obstacle(output);

	if (obstacle)
		command_note("%s: cannot be created: %s", output, obstacle);
	return !obstacle;
}

/* reporting: what is done with the traces, or NULL. */
static int run_program(char **argv, const char *output, const char *first_use, bool measures,
		       const struct reporting *reporting)
{
	struct finishing finishing = {.measuring = measure_begin(!measures),
				      .reports = reporting != NULL};
	struct launch launch = {.output = output, .first_use = first_use};
	char *libraries = launch_find_libraries(first_use != NULL);
	const struct reach reach = reach_find(argv[0]);
	struct signals signals;
	bool is_asked;
	pid_t child;
	int status;

	if (!libraries)
		return EXIT_UNREADABLE;
	if (reach.obstacle)
		command_note("%s will run untraced: %s", argv[0], reach.obstacle);
	/* Files are stamped with the coarse clock. */
	clock_gettime(CLOCK_REALTIME_COARSE, &finishing.since);
	launch.since = finishing.since;
	launch.libraries = reach.is_refused ? NULL : libraries;
	launch.is_for_asan = reach.needs_asan;
	child = launch_start(argv, &launch, &signals);
	free(libraries);
	if (child < 0)
		return command_fail(errno == ENOENT ? 127 : 126, "%s: %s", argv[0],
				    strerror(errno));
	status = launch_wait(child, &signals, &is_asked);
	if (is_asked)
		finishing.measuring = measure_begin(true);
	finish_traces(output, argv[0], &finishing);
	if (reporting)
		reporting_beside(reporting, (const char *const *)finishing.paths.items,
				 finishing.paths.count);
	finish_free(&finishing);
	return status;
}

/* *sites: STREAMTRACE_FIRST_USE, malloc'ed; NULL: nothing is to be watched. False: the trace cannot
 * be read, which was printed. */
static bool find_first_use(const char *path, char **sites)
{
	struct trace *trace;

	if (!*path) {
		*sites = memory_format("1");
		return true;
	}
	trace = command_load(path);
	if (!trace)
		return false;
	*sites = first_use_question(trace);
	trace_close(trace);
	if (!*sites)
		command_note("%s: no inconclusive waits for D2H copies: no first use is recorded",
			     path);
	return true;
}

static int run_main(const struct arguments *arguments)
{
	const char *output = arguments->values[OPTION_OUTPUT];
	const char *format = arguments->values[OPTION_REPORT];
	bool measures = !arguments->is_given[OPTION_NO_MEASURE];
	struct reporting reporting = {.measures = measures};
	char *first_use = NULL;
	int status;

	if (arguments->is_given[OPTION_REPORT])
		reporting.renderer = render_find(*format ? format : "text");

	if (arguments->is_given[OPTION_FIRST_USE] &&
	    !find_first_use(arguments->values[OPTION_FIRST_USE], &first_use))
		return EXIT_UNREADABLE;
	status = check_output(output)
			 ? run_program(arguments->operands, output, first_use, measures,
				       reporting.renderer ? &reporting : NULL)
			 : EXIT_UNREADABLE;
	free(first_use);
	return status;
}

const struct command command_run = {
	.name = "run",
	.summary = "run a program and trace it",
	.operands = "[--] PROGRAM [ARGUMENT]...",
	.needs = "a program",
	.description =
		"Runs PROGRAM and traces it. Signals that end, stop or continue this command go "
		"on to PROGRAM, and so do USR1 and USR2. The exit status is that of PROGRAM, "
		"128 + N when signal N killed it, 127 when it was not found and 126 when it "
		"could not be run. With --report the report follows; several processes give one "
		"list of findings, and a report each.",
	.example = "streamtrace run --report ./app\n"
		   "streamtrace run -o app.db python3 train.py\n"
		   "streamtrace run --report=md -o trace.%r.db mpirun -n 4 ./app",
	.runs_program = true,
	.main = run_main,
};
