/*
 * The traces that a command is called with: files, and folders, which stand for the files of their newest run
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

/* Replaces the folders among the count operands by their files, and sets *operands. If a folder has traces, its
 * summaries are left out. Files of other runs are left out, too, which is printed. Files that cannot be read stay, so
 * that the command says why. False: a folder has no traces or cannot be read, which was printed. Free *operands with
 * operands_free() in any case. */
bool operands_expand(struct operands *operands, char *const *asked, size_t count);

void operands_free(struct operands *operands);

#endif
