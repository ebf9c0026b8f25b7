/*
 * What the processes of an MPI program send each other: the paths of files to read, and jobs. A binomial tree
 * merges the jobs: of n processes none receives more than log2(n) jobs, rounded up.
 *
 * Each function is collective: all processes of MPI_COMM_WORLD must call it, in the thread that called
 * MPI_Init(). Errors of MPI end the program: that is MPI's default.
 */
#ifndef STREAMTRACE_MPI_TREE_H
#define STREAMTRACE_MPI_TREE_H

#include "job/merge.h"

/* The files that this process reads. Free them with tree_files_free(). */
struct tree_files {
	char **paths;
	size_t count;
};

/* Spreads the files over the processes by size (file_shares.h), and returns this process's. Process 0 passes all paths; the
 * arguments of other processes are not used. */
struct tree_files tree_spread(char *const *paths, size_t count);
void tree_files_free(struct tree_files *files);

/* Merges the jobs of all processes. Process 0 gets the result, which it frees with job_free(); others get NULL. own is
 * taken over. A job that cannot be sent becomes a row of files that could not be read. */
struct job *tree_merge(struct job *own);

/* How many processes, this one included, share this one's processors: they run on the same machine and may use the
 * same processors. */
int tree_processes_beside(void);

#endif
