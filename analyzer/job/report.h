/*
 * What a job's report says: who belongs to the job, its findings by line over ranks, who comes last.
 *
 * All of it follows from the job alone. It belongs to the job_report; members and texts belong to the job,
 * which must outlive it. One thread.
 */
#ifndef STREAMTRACE_JOB_REPORT_H
#define STREAMTRACE_JOB_REPORT_H

#include "job/joint.h"
#include "job/merge.h"

/* A process of the job that did work on a device. */
struct job_row {
	const struct job_member *member;
	struct job_waiting waiting;
	const struct summary_finding *worst; /* that saves most; NULL: none */
};

/* The findings of one pitfall in one line. */
struct job_group {
	const char *id, *where;
	const struct summary_finding *finding; /* the largest */
	size_t most; /* whose that is, and all that have one: indexes of rows */
	uint32_t *rows;
	size_t row_count;
	int64_t smallest_ns, median_ns, largest_ns; /* the rows' own savings */
	uint64_t count;
	int64_t blocked_ns;
	struct interval saved; /* the job's, with this fixed in all of its rows */
	bool is_folded;	       /* too small to be listed */
	bool is_later;	       /* of no row it was found in the first pass */
};

/* What the traces of some rows do not have, or what could not be judged there: not_seen of a report. */
struct job_limit {
	const char *what, *why; /* why: of the first of the rows */
	bool is_same;		/* why is the same in all of them */
	size_t place;		/* among the notes of the first of them */
	uint32_t *rows;
	size_t row_count;
};

/* Why the first straggler is late: one of both, and how much more it has of that than the median of the
 * others; or neither. */
struct job_cause {
	const struct summary_finding *finding;
	const struct summary_idle_line *line;
	int64_t more_ns;
};

/* Somebody who is not in the rows, or something that is not known of one, and why: one line each. */
struct job_left_out {
	char *who, *why;
};

/* How the job's savings were made. */
enum job_method {
	/* What processes wait for in each other is not known: the job takes as long as its slowest. A rank
	 * whose GPU is idle because the host makes no call may be waiting for another one: the low end
	 * takes nothing of this as waiting, the estimate all, and the high end all that a rank does. */
	JOB_SLOWEST,
	JOB_JOINT /* the joint replay of joint.h */
};

struct job_report {
	const struct job *job;
	struct job_row *rows;	  /* in the order of job.members */
	struct job_group *groups; /* what saves the job most first */
	struct job_left_out *left_out;
	struct job_limit *limits;	  /* what most rows have first */
	struct job_straggler *stragglers; /* collectives_stragglers() */
	struct job_cause late_cause;	  /* of the first one */
	size_t row_count, group_count, folded_count, left_out_count, limit_count, straggler_count;
	/* How the machines' clocks compare, or why they do not (machine_clocks.h): a line each. None of a
	 * single machine. */
	char **clock_lines;
	size_t clock_line_count;
	size_t rank_count, host_count; /* that the rows are of */
	int64_t expected_ranks;	       /* as the launcher says; 0: not known */
	int64_t wall_ns, untraced_ns;  /* of the slowest */
	struct interval lost;	       /* the job's, with all fixed */
	enum job_method method;
	/* Without its groups. Of no events: there was nothing to replay. */
	struct joint joint;
	bool has_estimates;			   /* of any row */
	uint64_t collective_count, complete_count; /* seen; those that all ranks came to */
};

struct job_report *job_report_make(const struct job *job);
void job_report_free(struct job_report *report);

/* "rank 3", "rank 3 (process 4242)" where the rank has several rows, "process 4242" without one; malloc'ed. */
char *job_row_name(const struct job_report *report, size_t row);

/* The row of the member; SIZE_MAX: none. */
size_t job_report_row(const struct job_report *report, job_member_id member);

/* "all 8 ranks", "rank 3", "ranks 0 to 3 and 7", "3 processes": these rows, in order; malloc'ed. */
char *job_rows_name(const struct job_report *report, const uint32_t *rows, size_t count);

#endif
