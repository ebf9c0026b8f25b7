/* The STREAMTRACE_* environment, read once in the constructor. Texts are copies: a program may
 * change its environment, or write its title over it, and never frees them. */
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
	const char *rank; /* given by an MPI launcher or torchrun, or NULL */
	/* STREAMTRACE_ variables that are unknown, and "NAME=value" of wrong values,
	 * comma-separated. */
	char unknown[256];
	int64_t read_ns; /* when this was filled in: the library was loaded */
};
#undef TEXT
#undef FLAG
#undef NUMBER
#undef SIGNAL

extern struct options options;

void options_read(void);

/* options.output with its %-patterns filled in, absolute. Reads the environment and the working
 * directory: on a thread of the program. Returns NULL, or why there is no such path. size: 2 or more. */
const char *options_output_path(char *path, size_t size);

/* The basename of the program, from /proc/self/exe. */
const char *options_program(void);

/* Notes a wrong value of the variable STREAMTRACE_`name`, also one that passed the check of its row in
 * facts/environment.def. */
void options_note_wrong(const char *name, const char *value);

/* Says what was noted, a line each, unless STREAMTRACE_QUIET is set. */
void options_complain(void);

/* False when STREAMTRACE_PROGRAMS leaves this program out. */
bool options_is_program_wanted(void);

/* One line on standard error when STREAMTRACE_VERBOSE is set. Leaves errno alone. Nothing is
 * written once the program has replaced standard error by another file. */
void options_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same unless STREAMTRACE_QUIET is set, for what the user must know of: once a cause. */
enum options_cause { OPTIONS_NO_FILE, OPTIONS_NO_CUPTI, OPTIONS_LATE, OPTIONS_LOST, OPTIONS_CAUSE_COUNT };
void options_warn(enum options_cause cause, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
