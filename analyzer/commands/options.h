/*
 * The options of the command line and the environment, as tables made from options.def and
 * facts/environment.def, and the reader of a command's arguments. One thread.
 */
#ifndef STREAMTRACE_COMMAND_OPTIONS_H
#define STREAMTRACE_COMMAND_OPTIONS_H

#include "commands/command.h"
#include "facts/check.h"

enum variable {
#define ENVIRONMENT(name, field, type, value, rule, argument, meaning) VARIABLE_##name,
#include "facts/environment.def"
#undef ENVIRONMENT
	VARIABLE_NONE,
	VARIABLE_COUNT = VARIABLE_NONE,
};

struct variable_row {
	const char *name, *argument, *value; /* value: the default; "": none */
	struct check check;
	const char *meaning;
};

struct option_row {
	const char *commands, *name;
	int letter, takes;
	const char *argument; /* never NULL where one is taken */
	enum variable variable;
	const char *value; /* the default; NULL: none */
	struct check check;
	const char *help; /* NULL: not for people */
};

extern const struct variable_row variable_rows[VARIABLE_COUNT];

/* The row, with what it leaves to its variable's row filled in. */
struct option_row options_row(enum option_id id);

/* Whether the command has the option. */
bool options_apply(const struct option_row *row, const struct command *command);

/* "-o, --output=FILE"; malloc'ed. */
char *options_name(const struct option_row *row);

/* The help with what values are allowed and the default; malloc'ed. */
char *options_describe(const struct option_row *row);
char *options_describe_variable(const struct variable_row *row);

/* Reads argv, which begins with the name for messages. False: what is wrong was printed. Values of
 * options that are not given are their defaults. */
bool options_parse(const struct command *command, int argc, char **argv,
		   struct arguments *arguments);

#endif
