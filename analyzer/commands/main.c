#include "base/memory.h"
#include "commands/command.h"
#include "commands/help.h"
#include "commands/options.h"

#include <commit.h> /* made by the build */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "commands/commands.def"
#undef COMMAND
	NULL,
};

static const struct command program = {
	.name = "streamtrace",
	.summary = "find where a CUDA program loses overlap",
	.operands = "COMMAND [OPTION]... [ARGUMENT]...",
	.description = "Traces a CUDA program from outside and reports where it lost overlap "
		       "between copies, kernels and the host: in which line, and how much time the "
		       "fix would save.",
	.example = "streamtrace run ./program",
	.runs_program = true,
};

/* Output that is still buffered can fail to be written: a full disk, a closed pipe. */
static int finish_output(int status)
{
	int is_failed = ferror(stdout);

	errno = 0;
	/* Why an earlier write failed is not known any more: the next one says it again. */
	if (is_failed)
		fputc('\n', stdout);
	if (!fflush(stdout) && !is_failed)
		return status;
	return command_fail(EXIT_UNREADABLE, "standard output: %s",
			    errno ? strerror(errno) : "could not be written");
}

/* argv begins with the command's name. *is_json: what asks_json() says; corrected where that may have read what is meant for
 * the program. */
static int run_command(const struct command *command, int argc, char **argv,
		       struct arguments *arguments, bool *is_json)
{
	if (!options_parse(command, argc, argv, arguments))
		return EXIT_USAGE;
	if (command->runs_program)
		*is_json = arguments->is_given[OPTION_PLAIN_FORMAT] &&
			   !strcmp(arguments->values[OPTION_PLAIN_FORMAT], "json");
	/* Ignores the signals for a closed pipe and for a file that exceeds its limit: writing fails
	 * instead. A program that is run must not inherit this. */
	if (!command->runs_program || arguments->is_given[OPTION_HELP]) {
		signal(SIGPIPE, SIG_IGN);
		signal(SIGXFSZ, SIG_IGN);
	}
	if (arguments->is_given[OPTION_HELP])
		return help_command(stdout, command, arguments);
	if (command->schema && arguments->is_given[OPTION_SCHEMA]) {
		fputs(command->schema, stdout);
		return EXIT_FINE;
	}
	if (command->needs && !arguments->operand_count)
		return command_fail(EXIT_USAGE, "%s needs %s: see streamtrace %s --help",
				    command->name, command->needs, command->name);
	if (command->is_one && arguments->operand_count > 1)
		return command_fail(EXIT_USAGE,
				    "%s: unexpected argument '%s': see streamtrace %s --help",
				    command->name, arguments->operands[1], command->name);
	return command->main(arguments);
}

/* A file or a folder that `report` is likely to read. */
static bool is_trace(const char *name)
{
	static const char *const endings[] = {".db", ".sqlite", ".nsys-rep"};
	const size_t length = strlen(name);
	struct stat status;

	if (stat(name, &status))
		return false;
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (length > strlen(endings[i]) &&
		    !strcmp(name + length - strlen(endings[i]), endings[i]))
			return true;
	return S_ISDIR(status.st_mode);
}

static bool is_command(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return true;
	return false;
}

/* `streamtrace app.db` reports on it; `streamtrace ./app` is told what to write. NULL: said what is wrong. */
static const struct command *find_command(struct arguments *arguments)
{
	static char report[] = "report";
	const char *name = *arguments->operands;

	if (is_command(name))
		return help_find(arguments, name);
	if (is_trace(name)) {
		/* Before the operands stands the program's name or an option. */
		*--arguments->operands = report;
		arguments->operand_count++;
		return &command_report;
	}
	if (strchr(name, '/') && !access(name, X_OK)) {
		command_fail(EXIT_USAGE, "%s is no command: streamtrace run %s runs and traces it",
			     name, name);
		return NULL;
	}
	return help_find(arguments, name);
}

/* Whether the command line asks for JSON, be the rest of it wrong: what a program behind `run` is given does not. */
static bool asks_json(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (!strcmp(argv[i], command_run.name))
			return false;
		if (!strcmp(argv[i], "--format=json") ||
		    (!strcmp(argv[i], "--format") && i + 1 < argc && !strcmp(argv[i + 1], "json")))
			return true;
	}
	return false;
}

static int run_streamtrace(int argc, char **argv, bool *is_json)
{
	struct arguments arguments = {.program = &program, .commands = commands};
	const struct command *command;

	if (!options_parse(&program, argc, argv, &arguments))
		return EXIT_USAGE;
	if (arguments.is_given[OPTION_HELP] || arguments.is_given[OPTION_VERSION]) {
		signal(SIGPIPE, SIG_IGN);
		if (arguments.is_given[OPTION_HELP])
			return help_command(stdout, &program, &arguments);
		puts("streamtrace " STREAMTRACE_VERSION STREAMTRACE_COMMIT);
		return EXIT_FINE;
	}
	if (!arguments.operand_count) {
		help_command(stderr, &program, &arguments);
		return EXIT_USAGE;
	}
	command = find_command(&arguments);
	if (!command)
		return EXIT_USAGE;
	return run_command(command, arguments.operand_count, arguments.operands, &arguments,
			   is_json);
}

int main(int argc, char **argv)
{
	bool is_json = asks_json(argc, argv); /* options_parse() sorts argv */
	int status;

	memory_keep_pages();
	setlocale(LC_CTYPE, "");
	status = run_streamtrace(argc, argv, &is_json);
	if (is_json) {
		signal(SIGPIPE, SIG_IGN);
		command_answer(status);
	}
	return finish_output(status);
}
