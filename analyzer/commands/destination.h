/*
 * Where `streamtrace run` lets the traces be written: a file, or a folder. One thread.
 */
#ifndef STREAMTRACE_DESTINATION_H
#define STREAMTRACE_DESTINATION_H

#include <stdbool.h>

struct destination {
	char *asked; /* as the user named it; the name of a folder ends with a slash */
	char *name; /* the value for STREAMTRACE_OUTPUT; a folder's is absolute, as the program may change its own */
	bool is_folder;
};

/* Sets *output from name, a file or a folder, and makes a folder that is missing. Free with destination_free().
 * False: it is known before the program runs that nothing can be written there; the reason was printed, and *output
 * is empty. */
bool destination_prepare(struct destination *output, const char *name);

void destination_free(struct destination *output);

#endif
