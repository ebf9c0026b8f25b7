/*
 * Where `streamtrace run` lets the traces be written: a file, or a folder. One thread.
 */
#ifndef STREAMTRACE_DESTINATION_H
#define STREAMTRACE_DESTINATION_H

#include <stdbool.h>

struct destination {
	char *asked; /* the name that the user gave; a slash is added to a folder's */
	/* The value for STREAMTRACE_OUTPUT. A folder without fields (%p) gets an absolute name: the program may
	 * change its working directory. */
	char *name;
	bool is_folder;
};

/* Sets *output from name, a file or a folder. Makes the folder if it is missing and its name has no fields. The
 * caller frees *output with destination_free(). False: no trace can be written there; the reason was printed, and
 * *output is empty. */
bool destination_prepare(struct destination *output, const char *name);

/* Frees the texts and empties *output. */
void destination_free(struct destination *output);

#endif
