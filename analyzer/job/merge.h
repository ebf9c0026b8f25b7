/*
 * Merges the processes of a job.
 *
 * job_merge() is associative and commutative, and equal jobs give equal bytes in job_to_bytes(): a job can be
 * merged in any order, in any number of parts, on any number of machines. What cannot be merged exactly is
 * decided once, by job_report.h, from the whole.
 *
 * A process takes some kB: of its arrivals and paths only the merged sums stay. A job owns its memory; free it
 * with job_free(). One thread at a time for each job.
 */
#ifndef STREAMTRACE_JOB_MERGE_H
#define STREAMTRACE_JOB_MERGE_H

#include "job/clock_ends.h"
#include "job/job_collectives.h"
#include "job/summary.h"

/* A process of the job. */
struct job_member {
	job_member_id id;
	struct summary *summary; /* its arrivals and paths are moved out */
	struct job_presence *presences;
	size_t presence_count;
};

/* A trace or summary that is left out of the job. */
struct job_unread {
	char *path, *why; /* one line each, safe to print */
	bool is_readable; /* true: it is of another run; false: it could not be read */
};

struct job {
	/* Sorted by rank (none: last), host, process_id and start_ns; each once. */
	struct job_member *members;
	struct job_unread *unread; /* sorted by path and why */
	struct job_collectives collectives;
	struct clock_machines clocks;
	struct paths *paths; /* merged of all members that have paths; NULL: none has */
	size_t member_count, unread_count;
	uint64_t
		doubled; /* how often a process was merged that was there already: its collectives count twice */
};

/* A job without processes. */
struct job *job_create(void);

/* A job of one process. Takes the summary over. */
struct job *job_of_summary(struct summary *summary);

/* A job without processes that lists one file as not read, and why. Copies both texts, and makes them safe to
 * print. */
struct job *job_of_unread(const char *path, const char *why);

/* The first file that could not be read, and in *count how many there are. NULL: there are none. Files of other runs
 * do not count. */
const struct job_unread *job_find_failed(const struct job *job, size_t *count);

/* Merges a and b, which are freed. Neither may be NULL. */
struct job *job_merge(struct job *a, struct job *b);

/* Merges jobs that come one after the other. It merges jobs of like size with each other, so that n jobs take a time
 * of n * log(n). Zero-initialize it. */
struct job_pile {
	struct job *jobs[64]; /* jobs[i]: NULL, or 2^i of the added jobs */
};

/* Adds the job, which is taken over. */
void job_pile_add(struct job_pile *pile, struct job *job);

/* The merged job, which the caller frees; without added jobs one without processes. The pile is empty afterwards. */
struct job *job_pile_take(struct job_pile *pile);

/* A job as bytes, for a process of the same version. On failure NULL is returned, and *error says why in one line; the
 * caller frees the bytes and *error. */
void *job_to_bytes(const struct job *job, size_t *size, char **error);
struct job *job_from_bytes(const void *bytes, size_t size, char **error);

void job_free(struct job *job);

#endif
