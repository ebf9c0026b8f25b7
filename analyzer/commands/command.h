/*
 * A command of the command line: each file cmd_NAME.c ends with one, main.c lists them all.
 */
#ifndef STREAMTRACE_COMMAND_H
#define STREAMTRACE_COMMAND_H

enum exit_status {
	EXIT_FINE = 0,
	EXIT_USAGE = 2,
	EXIT_UNREADABLE = 3, /* a file is unreadable or not a trace */
};

struct command {
	const char *name;
	const char *summary; /* one line */
	/* argv[0] is the command's name. Returns the exit status. */
	int (*main)(int argc, char **argv);
};

extern const struct command command_run, command_report, command_whatif, command_info;

#endif
