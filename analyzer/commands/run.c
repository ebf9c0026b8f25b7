#include "commands/command.h"

#include "base/memory.h"
#include "commands/finish.h"
#include "commands/launch.h"
#include "commands/reach.h"
#include "commands/reporting.h"
#include "findings/first_use_question.h"
#include "trace/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the trace can be created, as far as can be told before the program runs. */
static bool check_output(const char *output)
{
	const char *slash = strrchr(output, '/');
	char *folder = slash ? memory_format("%.*s", (int)(slash - output + 1), output)
			     : memory_format(".");
	bool ok = strchr(folder, '%') || access(folder, W_OK) == 0;

	if (!ok)
		command_note("%s: cannot be created: %s", output, strerror(errno));
	free(folder);
	return ok;
}

/* reporting: what is done with the traces, or NULL. */
static int run_program(char **argv, const char *output, const char *first_use, bool measures,
		       const struct reporting *reporting)
{
	struct finishing finishing = {.measuring = measure_begin(!measures),
				      .reports = reporting != NULL};
	struct launch launch = {.output = output, .first_use = first_use};
	char *libraries = launch_find_libraries(first_use != NULL);
	const char *obstacle;
	pid_t child;
	int status;

	if (!libraries)
		return EXIT_UNREADABLE;
	obstacle = reach_obstacle(argv[0]);
	if (obstacle)
		command_note("%s will run untraced: %s", argv[0], obstacle);
	/* Files are stamped with the coarse clock. */
	clock_gettime(CLOCK_REALTIME_COARSE, &finishing.since);
	launch.since = finishing.since;
	launch.libraries = libraries;
	child = launch_start(argv, &launch);
	free(libraries);
	if (child < 0)
		return command_fail(errno == ENOENT ? 127 : 126, "%s: %s", argv[0],
				    strerror(errno));
	status = launch_wait(child);
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
		"Runs PROGRAM and traces it. The exit status is that of PROGRAM, 128 + N when "
		"signal N killed it, 127 when it was not found and 126 when it could not be "
		"run. With --report the report follows; several processes give one list of "
		"findings, and a report each.",
	.example = "streamtrace run --report ./app\n"
		   "streamtrace run -o app.db python3 train.py\n"
		   "streamtrace run --report=md -o trace.%r.db mpirun -n 4 ./app",
	.runs_program = true,
	.main = run_main,
};
