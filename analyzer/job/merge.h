/*
 * Merges the processes of a job.
 *
 * job_merge() is associative and commutative, and equal jobs give equal bytes in job_to_bytes(). So
 * a job can be merged in any order, in any number of parts, on any number of machines. Whatever
 * cannot be merged exactly is decided once, by job_report.h, from the whole job.
 *
 * A process takes some kB, because only merged sums are kept of its arrivals and paths. A job owns
 * its memory; free it with job_free(). One thread at a time for each job.
 */
#ifndef STREAMTRACE_JOB_MERGE_H
#define STREAMTRACE_JOB_MERGE_H

#include "job/clock_ends.h"
#include "job/job_collectives.h"
#include "job/summary.h"

/* A process of the job. */
struct job_member {
	job_member_id id;
	struct summary *summary;	/* without arrivals and paths, which are in the job */
	struct job_presence *presences; /* which collectives the process had */
	size_t presence_count;
};

/* A trace or summary that is left out of the job. */
struct job_unread {
	char *path, *why; /* one line each, safe to print */
	bool is_readable; /* true: it is of another run; false: it could not be read */
};

struct job {
	/* Sorted by rank (those without a rank last), host, process_id and start_ns; each process
	 * once. */
	struct job_member *members;
	struct job_unread *unread; /* sorted by path and why */
	struct job_collectives collectives;
	struct clock_machines clocks;
	struct paths *paths; /* merged of all members that have paths; NULL: no member has */
	size_t member_count, unread_count;
	uint64_t doubled; /* how often a process came twice: its collectives count twice */
};

/* A job without processes. */
struct job *job_create(void);

/* A job of one process. Takes the summary over, which job_free() frees. */
struct job *job_of_summary(struct summary *summary);

/* A job without processes that lists one file as not read, and why. Copies both texts, and makes
 * them safe to print. */
struct job *job_of_unread(const char *path, const char *why);

/* The first file that could not be read; *count is how many such files there are. NULL: there are
 * none. Files of other runs do not count. */
const struct job_unread *job_find_failed(const struct job *job, size_t *count);

/* Merges a and b, which are freed. Neither may be NULL. */
struct job *job_merge(struct job *a, struct job *b);

/* A pile merges jobs that come one after the other. It merges jobs of like size with each other, so
 * that n jobs take a time of n * log(n). Zero-initialize the struct. */
struct job_pile {
	struct job *jobs[64]; /* jobs[i]: NULL, or 2^i of the added jobs */
};

/* Adds the job, which is taken over. */
void job_pile_add(struct job_pile *pile, struct job *job);

/* The merged job, which the caller frees. Without added jobs it is a job without processes.
 * Afterwards the pile is empty, and can be used again. */
struct job *job_pile_take(struct job_pile *pile);

/* A job as *size bytes, and the job of such bytes, for a process of the same version. The caller
 * frees the bytes, and the job with job_free(). NULL: failure, and *error is one line that says
 * why, which the caller frees. */
void *job_to_bytes(const struct job *job, size_t *size, char **error);
struct job *job_from_bytes(const void *bytes, size_t size, char **error);

/* job may be NULL. */
void job_free(struct job *job);

#endif
