/*
 * A command of the command line: its file ends with one struct, commands.def lists them all.
 *
 * Failures: what lies below the commands returns NULL, false or -1, with one line in *error where
 * there is more to say than that memory ran out, and never ends the program (out of memory in
 * base/memory.c is the one exception). A command prints the line with command_fail(), and returns
 * the exit status.
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

/* What a command is called with. */
struct arguments {
	/* By option: its argument, "" for one that takes or has none, its default, or NULL. */
	const char *values[OPTION_COUNT];
	bool is_given[OPTION_COUNT];
	char **operands; /* ends with NULL, as argv does */
	int operand_count;
	const struct command *program;	       /* `streamtrace` itself */
	const struct command *const *commands; /* all, then NULL */
};

struct command {
	const char *name;
	const char *summary;	 /* half a line */
	const char *operands;	 /* "TRACE..." */
	const char *needs;	 /* "a trace": what is missing without operands; NULL: nothing */
	const char *description; /* paragraphs, apart by '\n' */
	const char *example;	 /* one a line */
	bool is_one;		 /* takes one operand at most */
	bool runs_program;	 /* the options end with the first operand */
	/* Returns the exit status. */
	int (*main)(const struct arguments *arguments);
};

#define COMMAND(name) extern const struct command command_##name;
#include "commands/commands.def"
#undef COMMAND

/* Prints "streamtrace: ..." as one line on standard error. Returns status. */
int command_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for what is no failure. */
void command_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The trace with its source lines; NULL: the reason was printed. */
struct trace *command_load(const char *path);

/* Keeps a trace with its source lines for the next command_load(), which is of its path. The caller has no other
 * such trace kept. */
void command_keep(struct trace *trace);

#endif
