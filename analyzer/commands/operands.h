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

/* Sets *operands to the count operands in `asked`, with each folder replaced by its files. If a folder has traces,
 * its summaries are left out. A folder's files of other runs are left out, too, which is printed. Files that cannot
 * be read stay, so that the command says why. False: a folder has no trace files or cannot be read, which was
 * printed. The caller frees *operands with operands_free(), also after false. */
bool operands_expand(struct operands *operands, char *const *asked, size_t count);

/* Frees the paths, and empties *operands. */
void operands_free(struct operands *operands);

#endif
