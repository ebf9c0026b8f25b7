/*
 * Where `streamtrace run` has the traces written to: a file, or a folder. One thread.
 */
#ifndef STREAMTRACE_COMMANDS_OUTPUT_H
#define STREAMTRACE_COMMANDS_OUTPUT_H

#include <stdbool.h>

struct output {
	char *asked; /* as the user names it; a folder ends with a slash */
	char *name; /* the same for STREAMTRACE_OUTPUT, wherever the program goes: of a folder absolute */
	bool is_folder;
};

/* What `name` asks for: a folder is made where it is missing. False: nothing can be written there, which
 * was printed, as far as can be told before the program runs. */
bool output_prepare(struct output *output, const char *name);

void output_free(struct output *output);

#endif
