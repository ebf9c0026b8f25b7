/* The settings from the STREAMTRACE_* environment variables, one field for each row of
 * facts/environment.def, read once in the constructor; any thread may read the fields after that.
 * Texts are copies that are never freed: a program may change its environment, or write its title
 * over it. */
#ifndef STREAMTRACE_OPTIONS_H
#define STREAMTRACE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEXT   const char *
#define FLAG   bool
#define NUMBER long
#define SIGNAL int
struct options {
#define ENVIRONMENT(name, field, type, value, rule, argument, meaning) type field;
#include "facts/environment.def"
#undef ENVIRONMENT
	const char *rank; /* the rank that an MPI launcher or torchrun gave the process, or NULL;
			   * set by options_output_path() */
	/* The unknown STREAMTRACE_ variables, and "NAME=value" of those with a wrong value,
	 * comma-separated. */
	char unknown[256];
	int64_t read_ns; /* CLOCK_REALTIME when options_read() ran, a timer tick behind at most */
};
#undef TEXT
#undef FLAG
#undef NUMBER
#undef SIGNAL

extern struct options options;

/* Fills in `options` from the environment. Call once, in the constructor. */
void options_read(void);

/* Whether first uses are asked for. Any thread. */
bool options_ask_for_first_uses(void);

/* STREAMTRACE_MODE=watch. Any thread. */
bool options_is_watch(void);

/* Whether the launch of a graph is recorded as one operation. Any thread. */
bool options_graphs_are_whole(void);

/* Whether memory is watched: then any call may meet memory that is inaccessible. Any thread. */
bool options_watch_memory(void);

/* Stores the absolute path of the trace: options.output with its %-patterns filled in. Call on a
 * thread of the program: it reads the environment and the working directory. Returns NULL, or a
 * static text with the reason for failure. size: 2 or more. */
const char *options_output_path(char *path, size_t size);

/* The program's file name without the folder, from /proc/self/exe ("unknown" if unreadable). In
 * static memory that each call overwrites. */
const char *options_program(void);

/* Notes a wrong value of variable STREAMTRACE_`name` for options_complain(). Call it also for a
 * value that passed the check in facts/environment.def but proved unusable later. */
void options_note_wrong(const char *name, const char *value);

/* Prints the noted variables on standard error, a line each, unless STREAMTRACE_QUIET is set.
 * Forgets them in any case. */
void options_complain(void);

/* Whether STREAMTRACE_PROGRAMS names this program, or is empty. */
bool options_is_program_wanted(void);

/* Prints one line on standard error if STREAMTRACE_VERBOSE is set. Any thread; leaves errno alone.
 * Prints nothing if standard error is another file than at the start. Never waits for the reader of
 * a full pipe: then the line is lost. */
void options_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Like options_say(), but printed unless STREAMTRACE_QUIET is set, for what the user must know: at
 * most one line for each cause. In watch mode only OPTIONS_NO_FILE is. */
enum options_cause {
	OPTIONS_NO_FILE,
	OPTIONS_NO_CUPTI,
	OPTIONS_LATE,
	OPTIONS_LOST,
	OPTIONS_CAUSE_COUNT
};
void options_warn(enum options_cause cause, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
