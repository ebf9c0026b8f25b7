/*
 * A command of the command line. The file of a command ends with one struct command; commands.def lists the
 * commands.
 *
 * Failures: functions of rooms below return NULL, false or -1, and one line in *error if there is more to say
 * than "out of memory". They do not end the program; only base/memory.c does, when memory runs out. The
 * command prints the line with command_fail(), and returns the exit status. One thread.
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

/* What a command is called with. It lasts as long as the program. */
struct arguments {
	/* values[option]: the option's argument; "" if it was given without; if it was not given, its default or
	 * NULL. */
	const char *values[OPTION_COUNT];
	bool is_given[OPTION_COUNT];
	char **operands; /* ends with NULL, as argv does */
	int operand_count;
	const struct command *program;	       /* `streamtrace` itself */
	const struct command *const *commands; /* all commands, then NULL */
};

struct command {
	const char *name;
	const char *summary;	 /* half a line */
	const char *operands;	 /* "TRACE..." */
	const char *needs;	 /* "a trace": what is missing without operands; NULL: nothing */
	const char *description; /* paragraphs, separated by '\n' */
	const char *example;	 /* command lines, separated by '\n' */
	bool is_one;		 /* takes at most one operand */
	bool runs_program;	 /* its options end at the first operand */
	/* Runs the command. Returns the exit status. */
	int (*main)(const struct arguments *arguments);
};

#define COMMAND(name) extern const struct command command_##name;
#include "commands/commands.def"
#undef COMMAND

/* Prints "streamtrace: ..." as one line on standard error. Returns the status that it was given. */
int command_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints like command_fail(), for what is no failure. */
void command_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Loads a trace and looks up its source lines. The caller closes it with trace_close(). NULL: it cannot be read, or
 * is too large for the free memory; the reason was printed. */
struct trace *command_load(const char *path);

/* Hands over a trace that the next command_load() returns instead of loading one. The trace must have its source
 * lines, and that call must be for the trace's path. At most one trace may be kept at a time. */
void command_keep(struct trace *trace);

#endif
