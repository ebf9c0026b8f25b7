/*
 * The traces that a command is called with: files, and folders, which stand for their newest run's
 * (job/folder.h). One thread.
 */
#ifndef STREAMTRACE_OPERANDS_H
#define STREAMTRACE_OPERANDS_H

#include <stdbool.h>
#include <stddef.h>

struct operands {
	char **paths;
	size_t count;
};

/* Of a folder with both, traces without the summaries of them. What is of another run is left out, which is
 * printed; what cannot be read stays, for the command to say
 * why. False: a folder has no traces, or cannot be read, which was printed too. */
bool operands_expand(struct operands *operands, char *const *asked, size_t count);

void operands_free(struct operands *operands);

#endif
