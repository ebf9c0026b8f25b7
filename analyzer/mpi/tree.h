/*
 * What the processes of an MPI program send each other: files to read, and jobs, which a binomial tree brings
 * together. Of n processes none gets more than log2(n) jobs, rounded up, one after the other.
 *
 * All processes call each function. Errors of MPI end the program, as MPI has it. Only the thread that called
 * MPI_Init().
 */
#ifndef STREAMTRACE_MPI_TREE_H
#define STREAMTRACE_MPI_TREE_H

#include "job/merge.h"

/* The files of this process. */
struct tree_files {
	char **paths;
	size_t count;
};

/* Process 0 has all paths, others NULL; spread by size (spread.h). */
struct tree_files tree_spread(char *const *paths, size_t count);
void tree_files_free(struct tree_files *files);

/* The jobs of all as one in process 0; NULL in others. Takes `own`. */
struct job *tree_merge(struct job *own);

/* How many processes run on the processors of this one, with it. */
int tree_processes_beside(void);

#endif
