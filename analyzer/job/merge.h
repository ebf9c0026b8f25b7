/*
 * The processes of a job as one.
 *
 * job_merge() is associative and commutative, and job_to_bytes() of equal jobs is equal: a job can be put
 * together in any order, in any number of parts, on any number of machines. What cannot be merged exactly
 * is decided in report.h, once, from the whole.
 *
 * A member keeps some kB; of arrivals and paths only what is merged stays. A job owns its memory. One thread
 * each.
 */
#ifndef STREAMTRACE_JOB_MERGE_H
#define STREAMTRACE_JOB_MERGE_H

#include "job/clock_ends.h"
#include "job/collectives.h"
#include "job/summary.h"

struct job_member {
	job_member_id id;
	struct summary *summary; /* without arrivals and paths */
	struct job_presence *presences;
	size_t presence_count;
};

/* A trace or summary that is not in the job. */
struct job_unread {
	char *path, *why; /* one line each, safe to print */
	bool is_readable; /* it is of another run; else it could not be read */
};

struct job {
	struct job_member
		*members; /* by rank (without one last), host, process_id, start_ns; each once */
	struct job_unread *unread; /* by path and why */
	struct job_collectives collectives;
	struct clock_machines clocks;
	struct paths *paths; /* of all members that have some; NULL: none */
	size_t member_count, unread_count;
	uint64_t doubled; /* members that came again: their collectives count twice */
};

/* Nobody. */
struct job *job_create(void);

/* Takes the summary over. */
struct job *job_of_summary(struct summary *summary);

/* Copies both texts, and makes them safe to print. */
struct job *job_of_unread(const char *path, const char *why);

/* The first file that could not be read; NULL: none. *count: how many there are. */
const struct job_unread *job_find_failed(const struct job *job, size_t *count);

/* Both together, as one that belongs to the caller; a and b are gone. */
struct job *job_merge(struct job *a, struct job *b);

/* Jobs being merged one after the other, in a time that grows with their number alone: like is merged with
 * like. Zero-initialize it. */
struct job_pile {
	struct job *jobs[64]; /* of 2 to the power of the index */
};

/* Takes the job over. */
void job_pile_add(struct job_pile *pile, struct job *job);

/* All of them; the pile is empty. */
struct job *job_pile_take(struct job_pile *pile);

/* For another process of the same version; as summary.h's. */
void *job_to_bytes(const struct job *job, size_t *size, char **error);
struct job *job_from_bytes(const void *bytes, size_t size, char **error);

void job_free(struct job *job);

#endif
