/*
 * What the processes of an MPI program send each other: the paths of files to read, and jobs. A binomial tree
 * merges the jobs: of n processes none receives more than log2(n) jobs, rounded up.
 *
 * Each function but tree_files_free() is collective: all processes of MPI_COMM_WORLD must call it, in the thread that
 * called MPI_Init(). Such a function may block until other processes have called it, too. Errors of MPI end the
 * program: that is MPI's default.
 */
#ifndef STREAMTRACE_MPI_TREE_H
#define STREAMTRACE_MPI_TREE_H

#include "job/merge.h"

/* The files that this process reads. The caller frees the paths with tree_files_free(). */
struct tree_files {
	char **paths;
	size_t count;
};

/* Spreads the files over the processes by size (file_shares.h), and returns the files of this process. Process 0
 * passes all paths, which stay its own; the arguments of other processes are not used. */
struct tree_files tree_spread(char *const *paths, size_t count);

/* Frees the paths of this process, and empties *files. */
void tree_files_free(struct tree_files *files);

/* Merges the jobs of all processes. Process 0 gets the merged job, which it frees with job_free(); other processes
 * get NULL. Takes own over. A job that cannot be sent becomes an entry of the merged job's unread files. */
struct job *tree_merge(struct job *own);

/* Returns how many processes run on this machine and may use the same processors as this process. This process
 * counts, too. */
int tree_processes_beside(void);

#endif
