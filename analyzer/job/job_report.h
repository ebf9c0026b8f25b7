/*
 * What the report of a job says: its processes, its findings by line over ranks, and who comes last.
 *
 * It is made from the job alone: equal jobs give equal reports. The report owns its arrays; members and most
 * texts belong to the job, which must outlive it. One thread.
 */
#ifndef STREAMTRACE_JOB_REPORT_H
#define STREAMTRACE_JOB_REPORT_H

#include "job/joint.h"
#include "job/merge.h"

/* A process of the job that did work on a device. */
struct job_row {
	const struct job_member *member;
	struct job_waiting waiting;
	const struct summary_finding *worst; /* the finding that saves most; NULL: there is none */
};

/* The findings of one pitfall in one line. */
struct job_group {
	const char *id, *where;
	const struct summary_finding *finding; /* the one that saves its row most */
	size_t most;			       /* index of that row */
	uint32_t *rows;			       /* indexes of all rows that have the finding */
	size_t row_count;
	int64_t smallest_ns, median_ns, largest_ns; /* the rows' own savings */
	uint64_t count;
	int64_t blocked_ns;
	struct stated saved; /* what the job saves with this fixed in all of these rows */
	bool is_folded;	     /* too small to be listed */
	bool is_later;	     /* no row found it in the first pass, without other fixes in */
};

/* What the traces of some rows do not have, or what could not be judged there: not_seen of a report. */
struct job_limit {
	const char *what, *why; /* why: as the first of the rows says it */
	bool is_same;		/* all of the rows say the same why */
	size_t place;		/* index of the note in the first of the rows */
	uint32_t *rows;
	size_t row_count;
};

/* Why the first straggler is late: a finding or an idle line, and how much more time of it the straggler has than the
 * median of the others. Both NULL: no cause is known. */
struct job_cause {
	const struct summary_finding *finding;
	const struct summary_idle_line *line;
	int64_t more_ns;
};

/* A process that is not in the rows, or a fact that is not known, and why: one line each. */
struct job_left_out {
	char *who, *why;
};

/* How the job's savings were made. */
enum job_method {
	/* It is not known when processes wait for each other: the job is taken to last as long as its slowest
	 * process. A rank whose GPU is idle because its host makes no calls may be waiting for another rank. The low
	 * end assumes that none of this idle time is waiting, the estimate that all of it is, the high end that all
	 * of a rank's time is. */
	JOB_SLOWEST,
	JOB_JOINT /* the joint replay of joint.h */
};

struct job_report {
	const struct job *job;
	struct job_row *rows;	  /* in the order of job->members */
	struct job_group *groups; /* the one that saves the job most first; folded ones last */
	struct job_left_out *left_out;
	struct job_limit *limits;	  /* the one of most rows first */
	struct job_straggler *stragglers; /* of collectives_stragglers() */
	struct job_cause late_cause;	  /* of the first straggler */
	size_t row_count, group_count, folded_count, left_out_count, limit_count, straggler_count;
	/* How the machines' clocks compare, or why they do not (machine_clocks.h): a line each. A job of one machine
	 * has none. */
	char **clock_lines;
	size_t clock_line_count;
	size_t rank_count, host_count; /* ranks and hosts among the rows */
	int64_t expected_ranks;	      /* how many ranks the launcher says there are; 0: not known */
	int64_t wall_ns, untraced_ns; /* of the slowest row */
	struct stated lost;	      /* what the job saves with all findings fixed */
	enum job_method method;
	/* The joint replay without its groups. events is 0: there was nothing to replay. */
	struct joint joint;
	bool has_estimates;			   /* some row has */
	uint64_t collective_count, complete_count; /* collectives; those that all ranks came to */
};

/* Makes the report. The job must outlive it. */
struct job_report *job_report_make(const struct job *job);
void job_report_free(struct job_report *report);

/* "rank 3"; "rank 3 (process 4242)" if the rank has several rows; "process 4242" if there is no rank. The caller frees
 * it. */
char *job_row_name(const struct job_report *report, size_t row);

/* The index of the process's row; SIZE_MAX: it has none. */
size_t job_report_row(const struct job_report *report, job_member_id member);

/* Names the rows whose indexes are given in increasing order: "all 8 ranks", "rank 3", "ranks 0 to 3 and 7",
 * "3 processes". The caller frees it. */
char *job_rows_name(const struct job_report *report, const uint32_t *rows, size_t count);

#endif
