/*
 * A command of the command line. The file of a command ends with one struct command; commands.def lists the
 * commands.
 *
 * Failures: a function of the rooms below returns NULL, false or -1. If it has a parameter error, it sets *error to
 * one line, which the command prints with command_fail() and frees. Without *error the reason is "out of memory". The
 * command then returns the exit status. Only base/memory.c ends the program, when memory runs out. One thread.
 */
#ifndef STREAMTRACE_COMMAND_H
#define STREAMTRACE_COMMAND_H

#include <stdbool.h>

enum exit_status {
#define EXIT_STATUS(name, number, meaning) EXIT_##name = (number),
#include "commands/exit_status.def"
#undef EXIT_STATUS
};

enum option_id {
#define OPTION(id, commands, long, short, takes, argument, variable, value, rule, help) OPTION_##id,
#include "commands/options.def"
#undef OPTION
	OPTION_COUNT
};

struct command;

/* What a command is called with. The struct and its texts last as long as the program. */
struct arguments {
	/* values[option]: the option's argument. "": the option was given without an argument. If the option was not
	 * given: the value of its variable in the environment, else its default; NULL: it has neither. */
	const char *values[OPTION_COUNT];
	/* is_given[option]: the option is on the command line; a variable does not count. */
	bool is_given[OPTION_COUNT];
	char **operands; /* ends with NULL, as argv does */
	int operand_count;
	const struct command *program;	       /* `streamtrace` itself */
	const struct command *const *commands; /* all commands, then NULL */
};

struct command {
	const char *name;
	const char *summary;	 /* half a line */
	const char *operands;	 /* the operands in the help: "TRACE..." */
	const char *needs;	 /* an operand that must be given: "a trace"; NULL: none */
	const char *description; /* paragraphs, separated by '\n' */
	const char *example;	 /* command lines, separated by '\n'; NULL: none */
	const char *
		schema; /* what --json-schema without a value prints; NULL: it has no such option */
	bool is_one;	/* takes at most one operand */
	bool runs_program; /* its options end at the first operand */
	/* Runs the command. Returns the exit status. */
	int (*main)(const struct arguments *arguments);
};

#define COMMAND(name) extern const struct command command_##name;
#include "commands/commands.def"
#undef COMMAND

/* Prints "streamtrace: ..." as one line on standard error. Returns status. */
int command_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends a command that was asked for JSON: if it failed without a result, prints what command_fail() said as one JSON
 * object on standard output (render/error_schema.json). Call at most once, before standard output is flushed. */
void command_answer(int status);

/* Prints a line like command_fail(), but returns nothing. */
void command_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Loads the trace at path and looks up its source lines; of a trace of the watch mode trace_device_part(). The caller closes it with trace_close(). NULL: the trace
 * cannot be read, or an analysis of it takes more memory than is free; the reason was printed. */
struct trace *command_load(const char *path);

/* Takes over a trace that the next command_load() returns instead of loading one, whatever the path of that call. So
 * the next call must be for the trace's path, and the trace must have its source lines. At most one trace may be
 * kept at a time. */
void command_keep(struct trace *trace);

#endif
