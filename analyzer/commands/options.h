/*
 * The options of the command line and the environment's variables, as tables made from options.def and
 * facts/environment.def; and the reader of a command's arguments. One thread.
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

/* A row of facts/environment.def. */
struct variable_row {
	const char *name, *argument, *value; /* value: the default; "": none */
	struct check check;
	const char *meaning;
};

/* A row of options.def, whose opening comment explains the columns. Texts are constant. commands: names separated by
 * '|'; NULL: all. letter: 0 for none. takes: a constant of <getopt.h>, as no_argument. */
struct option_row {
	const char *commands, *name;
	int letter, takes;
	const char *argument;	/* not NULL if the option takes one */
	enum variable variable; /* VARIABLE_NONE: the environment has none for it */
	const char *value;	/* the default; NULL: none */
	struct check check;
	const char *help; /* NULL: the help leaves the option out */
};

extern const struct variable_row variable_rows[VARIABLE_COUNT];

/* Returns the option's row. If the row has a variable and no argument of its own, then argument, check and value are
 * those of the variable's row. */
struct option_row options_row(enum option_id id);

/* Whether the command has the option of the row. */
bool options_apply(const struct option_row *row, const struct command *command);

/* Returns the option's name: "-o, --output=FILE". The caller frees the text. */
char *options_name(const struct option_row *row);

/* Both return the row's help or meaning, followed by the range of its values and the default. The caller frees the
 * text. row->help must not be NULL. */
char *options_describe(const struct option_row *row);
char *options_describe_variable(const struct variable_row *row);

/* Reads argv into *arguments; argv[0] is skipped. The caller sets arguments->program and arguments->commands. An
 * option that is not given gets its default: its variable's value in the environment, else the row's. False: an
 * option is wrong, which was printed; *arguments must then not be used. */
bool options_parse(const struct command *command, int argc, char **argv,
		   struct arguments *arguments);

#endif
