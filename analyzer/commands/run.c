#include "commands/command.h"

#include "base/memory.h"
#include "base/regular_file.h"
#include "commands/destination.h"
#include "commands/finish.h"
#include "commands/launch.h"
#include "commands/options.h"
#include "commands/reach.h"
#include "commands/reporting.h"
#include "commands/untraced.h"
#include "findings/first_use_question.h"
#include "trace/trace.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A name that no other run has, on whichever machine. */
static void name_run(char *name, size_t size)
{
	char host[HOST_NAME_MAX + 1] = "localhost";
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	gethostname(host, sizeof(host) - 1);
	snprintf(name, size, "%s.%d.%lld%09ld", host, (int)getpid(), (long long)now.tv_sec,
		 now.tv_nsec);
}

/* mpirun and srun end the whole job when one rank fails, and a rank may have no GPU work. */
static bool is_of_job(void)
{
	static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
					    "SLURM_PROCID"};

	for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks); i++)
		if (getenv(ranks[i]))
			return true;
	return false;
}

/* *launch: without what is known only here. reporting: what is done with the traces, or NULL. */
static int run_program(char **argv, const struct destination *output, struct launch launch,
		       bool measures, const struct reporting *reporting)
{
	struct finishing finishing = {.measuring = measure_begin(!measures),
				      .reports = reporting != NULL};
	char *libraries = launch_find_libraries(launch.first_use || launch.races);
	const struct reach reach = reach_find(argv[0]);
	struct untraced untraced;
	struct signals signals;
	bool is_asked;
	pid_t child;
	int status;

	if (!libraries)
		return EXIT_UNREADABLE;
	untraced = untraced_begin(reach.obstacle);
	if (reach.obstacle)
		command_note("%s will run untraced: %s", argv[0], reach.obstacle);
	/* Files are stamped with the coarse clock. */
	clock_gettime(CLOCK_REALTIME_COARSE, &finishing.since);
	launch.since = finishing.since;
	name_run(launch.run, sizeof(launch.run));
	launch.output = output->name;
	finishing.run = launch.run;
	finishing.untraced = &untraced;
	untraced.steps = launch.steps ? launch.steps : getenv(variable_rows[VARIABLE_STEPS].name);
	untraced.step = launch.step ? launch.step : getenv(variable_rows[VARIABLE_STEP].name);
	launch.tell = untraced.path;
	launch.libraries = reach.is_refused ? NULL : libraries;
	launch.is_for_asan = reach.needs_asan;
	child = launch_start(argv, &launch, &signals);
	free(libraries);
	if (child < 0) {
		status = command_fail(errno == ENOENT ? 127 : 126, "%s: %s", argv[0],
				      strerror(errno));
		untraced_end(&untraced);
		return status;
	}
	status = launch_wait(child, &signals, &is_asked);
	if (is_asked)
		finishing.measuring = measure_begin(true);
	finish_traces(output->asked, argv[0], &finishing);
	if (status == EXIT_FINE && !finishing.has_calls && !is_of_job())
		status = EXIT_EMPTY;
	if (reporting)
		reporting_beside(reporting, finishing.paths.items, finishing.paths.count);
	finish_free(&finishing);
	untraced_end(&untraced);
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

/* What runs program where it is a Python script: the interpreter asked for, else python3 where the system cannot
 * run it by itself. NULL: nothing need. */
static const char *find_interpreter(const char *program, const char *asked_for)
{
	const char *ending = strrchr(program, '.');

	if (!ending || strcmp(ending, ".py") != 0 || access(program, R_OK))
		return NULL;
	if (asked_for)
		return asked_for;
	return access(program, X_OK) || !strchr(program, '/') ? "python3" : NULL;
}

/* `run --report html ./app`: a value that may be left out needs an equals sign. */
static bool is_format_apart(const struct arguments *arguments)
{
	return arguments->is_given[OPTION_REPORT] && !*arguments->values[OPTION_REPORT] &&
	       arguments->operand_count > 1 && output_format_find(arguments->operands[0]) &&
	       access(arguments->operands[0], F_OK);
}

/* NULL: it was not given. */
static const char *given_value(const struct arguments *arguments, enum option_id id)
{
	return arguments->is_given[id] ? arguments->values[id] : NULL;
}

static int run_main(const struct arguments *arguments)
{
	const char *interpreter =
		find_interpreter(arguments->operands[0], arguments->values[OPTION_PYTHON]);
	char **argv = memory_array((size_t)arguments->operand_count + 2, sizeof(*argv));
	struct destination output;
	const char *format = arguments->values[OPTION_REPORT];
	bool measures = !arguments->is_given[OPTION_NO_MEASURE];
	struct reporting reporting = {.measures = measures,
				      .step = given_value(arguments, OPTION_RUN_STEP)};
	char *first_use = NULL;
	int status;

	if (is_format_apart(arguments)) {
		free(argv);
		return command_fail(EXIT_USAGE,
				    "the format needs an equals sign: streamtrace run "
				    "--report=%s %s",
				    arguments->operands[0], arguments->operands[1]);
	}
	if (arguments->is_given[OPTION_REPORT])
		reporting.format = output_format_find(*format ? format : "text");

	if (arguments->is_given[OPTION_FIRST_USE]) {
		const char *asked_of = arguments->values[OPTION_FIRST_USE];

		if (is_same_file(asked_of, arguments->values[OPTION_OUTPUT])) {
			free(argv);
			return command_fail(EXIT_USAGE, "%s: is read, and would be replaced",
					    asked_of);
		}
		if (!find_first_use(asked_of, &first_use)) {
			free(argv);
			return EXIT_UNREADABLE;
		}
	}
	status = EXIT_UNREADABLE;
	if (destination_prepare(&output, arguments->values[OPTION_OUTPUT])) {
		argv[0] = (char *)interpreter;
		memcpy(argv + 1, arguments->operands,
		       (size_t)arguments->operand_count * sizeof(*argv));
		status = run_program(
			argv + !interpreter, &output,
			(struct launch){.first_use = first_use,
					.races = arguments->is_given[OPTION_RACES] ? "1" : NULL,
					.steps = given_value(arguments, OPTION_STEPS),
					.step = given_value(arguments, OPTION_RUN_STEP)},
			measures, reporting.format ? &reporting : NULL);
		destination_free(&output);
	}
	free(first_use);
	free(argv);
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
		"could not be run; 5 when it was 0 and no CUDA call was recorded, unless "
		"MPI or Slurm started this command. With --report the report follows; several "
		"processes give one "
		"list of findings, and a report each.",
	.example = "streamtrace run --report ./app\n"
		   "streamtrace run -o app.db python3 train.py\n"
		   "streamtrace run -o traces/ torchrun --nproc-per-node=8 train.py\n"
		   "mpirun -n 4 streamtrace run -o traces/ ./app",
	.runs_program = true,
	.main = run_main,
};
