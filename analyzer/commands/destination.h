/*
 * Where `streamtrace run` has the traces written to: a file, or a folder. One thread.
 */
#ifndef STREAMTRACE_DESTINATION_H
#define STREAMTRACE_DESTINATION_H

#include <stdbool.h>

struct destination {
	char *asked; /* as the user names it; a folder ends with a slash */
	char *name; /* the same for STREAMTRACE_OUTPUT, wherever the program goes: of a folder absolute */
	bool is_folder;
};

/* What `name` asks for: a folder is made where it is missing. False: nothing can be written there, which
 * was printed, as far as can be told before the program runs. */
bool destination_prepare(struct destination *output, const char *name);

void destination_free(struct destination *output);

#endif
