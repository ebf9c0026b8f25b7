/* The STREAMTRACE_* environment, read once in the constructor. Texts are copies: a program may
 * change its environment, or write its title over it, and never frees them. */
#ifndef STREAMTRACE_OPTIONS_H
#define STREAMTRACE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#define TEXT   const char *
#define FLAG   bool
#define NUMBER long
struct options {
#define OPTION(name, field, type, value, meaning) type field;
#include "options.def"
#undef OPTION
	const char *rank;  /* given by an MPI launcher or torchrun, or NULL */
	char unknown[256]; /* names of STREAMTRACE_ variables that mean nothing, comma-separated */
};
#undef TEXT
#undef FLAG
#undef NUMBER

extern struct options options;

void options_read(void);

/* options.output with its %-patterns filled in, absolute. Reads the environment and the working
 * directory: on a thread of the program. Returns false when it does not fit. */
bool options_output_path(char *path, size_t size);

/* The basename of the program, from /proc/self/exe. */
const char *options_program(void);

/* One line on standard error when STREAMTRACE_VERBOSE is set. Leaves errno alone. */
void options_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
