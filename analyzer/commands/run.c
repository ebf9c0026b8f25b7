#include "commands/command.h"

#include "base/memory.h"
#include "base/regular_file.h"
#include "commands/destination.h"
#include "commands/finish.h"
#include "commands/options.h"
#include "commands/recording.h"
#include "commands/reporting.h"
#include "findings/first_use_question.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The value of STREAMTRACE_MODE. */
#define WATCH_MODE "watch"

/* reporting: what is done with the traces, or NULL. */
static int run_program(char **argv, const struct recording *recording,
		       const struct reporting *reporting)
{
	struct finishing finishing;
	int status = recording_run(argv, recording, &finishing);

	if (reporting)
		reporting_beside(reporting, finishing.paths.items, finishing.paths.count);
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

/* Whether the program is only watched: by the option, or by the variable. */
static bool is_watched(const struct arguments *arguments)
{
	const char *mode = getenv(variable_rows[VARIABLE_MODE].name);

	return arguments->is_given[OPTION_WATCH] || (mode && !strcmp(mode, WATCH_MODE));
}

/* False: an option that the watch mode has not is given, which was said. */
static bool can_watch(const struct arguments *arguments)
{
	static const enum option_id options[] = {OPTION_FIRST_USE, OPTION_RACES, OPTION_STEPS};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (arguments->is_given[options[i]])
			return command_fail(EXIT_USAGE, "run --watch records no --%s",
					    options_row(options[i]).name) == EXIT_FINE;
	return true;
}

static int run_main(const struct arguments *arguments)
{
	const bool watches = is_watched(arguments);
	char **argv = recording_words(arguments);
	struct destination output;
	const char *format = arguments->values[OPTION_REPORT];
	bool measures = !arguments->is_given[OPTION_NO_MEASURE];
	struct reporting reporting = {.measures = measures,
				      .step = given_value(arguments, OPTION_RUN_STEP)};
	char *first_use = NULL;
	int status;

	if (watches && !can_watch(arguments)) {
		free(argv);
		return EXIT_USAGE;
	}
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
		const struct recording recording = {
			.output = &output,
			.launch = {.first_use = first_use,
				   .mode = watches ? WATCH_MODE : NULL,
				   .races = arguments->is_given[OPTION_RACES] ? "1" : NULL,
				   .steps = given_value(arguments, OPTION_STEPS),
				   .step = given_value(arguments, OPTION_RUN_STEP)},
			.measures = measures,
			.watches = watches,
			.reports = reporting.format != NULL};

		status = run_program(argv, &recording, reporting.format ? &reporting : NULL);
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
		"list of findings, and a report each. With --watch there is a trace of each "
		"incident alone, FILE.incident-1.db for --output=FILE.db; see streamtrace watch.",
	.example = "streamtrace run --report ./app\n"
		   "streamtrace run --watch -o traces/ python3 train.py\n"
		   "streamtrace run -o app.db python3 train.py\n"
		   "streamtrace run -o traces/ torchrun --nproc-per-node=8 train.py\n"
		   "mpirun -n 4 streamtrace run -o traces/ ./app",
	.runs_program = true,
	.main = run_main,
};
