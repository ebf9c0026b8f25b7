/*
 * What the watch mode noticed in the processes of a job, matched by the number of the step: who was late first.
 *
 * Evidence: what each process's step took more than a normal one, and how much of that was no wait for the device. Ranks wait
 * for each other in such waits, by collectives. Inference: of the processes that have the most time of their own, at least
 * half of the largest, the one was late first whose own time began first, counted from its step's begin, which needs no
 * common clock. Nobody was where no process has a quarter of its extra time by itself.
 *
 * Texts and members are the job's. One thread.
 */
#ifndef STREAMTRACE_JOB_INCIDENTS_H
#define STREAMTRACE_JOB_INCIDENTS_H

#include "job/merge.h"

struct job_incident {
	int64_t step;			   /* -1: no steps are known, and it is of one process */
	const struct job_member **members; /* by own time, the most first */
	size_t count;
	const struct job_member *first; /* that was late first; NULL: not known */
};

struct job_incidents {
	struct job_incident *items; /* by step */
	size_t count;
};

/* Free the result by job_incidents_free(), before the job. */
struct job_incidents job_incidents_find(const struct job *job);
void job_incidents_free(struct job_incidents *incidents);

#endif
