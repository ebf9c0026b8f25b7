/* Summaries made by hand or by chance, for the tests of jobs. */
#ifndef STREAMTRACE_TESTS_JOB_CASE_H
#define STREAMTRACE_TESTS_JOB_CASE_H

#include "job/merge.h"

#include <stdint.h>

#define MS 1000000LL

/* Of rank on "node0", whose run took that long, with operations and estimates. */
struct summary *job_case_summary(int64_t rank, int64_t wall_ns);

/* Adds a finding that saves that, with both ends. */
void job_case_finding(struct summary *summary, const char *id, const char *where, int64_t saved_ns);

/* Adds a communicator of so many ranks. */
void job_case_communicator(struct summary *summary, uint64_t unique_id, uint32_t ranks);

/* Adds an all-reduce on the last communicator, whose kernel lasts that; late_ns: by which it was launched
 * after the device was ready. */
void job_case_arrival(struct summary *summary, uint32_t sequence, int64_t kernel_ns,
		      int64_t late_ns);

/* Adds a note of what is missing in its trace. */
void job_case_note(struct summary *summary, const char *what, const char *why);

/* A process of a random job with that many ranks: findings, collectives on two communicators, notes. The same
 * for the same rank and seed. */
struct summary *job_case_random(int64_t rank, uint32_t ranks, uint64_t seed);

/* The next random number below the limit. */
uint64_t job_case_below(uint64_t *state, uint64_t limit);

#endif
