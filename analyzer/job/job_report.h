/*
 * What the report of a job says: the job's processes, its findings by line over ranks, and which
 * process comes last to collectives.
 *
 * The report is made from the job alone: equal jobs give equal reports. The report owns its arrays,
 * and the texts of left_out and clock_lines. Members and other texts belong to the job, which must
 * outlive the report. One thread.
 */
#ifndef STREAMTRACE_JOB_REPORT_H
#define STREAMTRACE_JOB_REPORT_H

#include "job/job_incidents.h"
#include "job/joint.h"
#include "job/merge.h"

/* A process of the job that did work on a device. */
struct job_row {
	const struct job_member *member;
	struct job_waiting waiting;
	const struct summary_finding *worst; /* the listed finding that saves most; or NULL */
};

/* The findings of one pitfall in one line. */
struct job_group {
	const char *id, *where;		       /* as in struct summary_finding (summary.h) */
	const struct summary_finding *finding; /* of the row where one such finding saves most */
	size_t most;			       /* index of the row of `finding` */
	uint32_t *rows; /* indexes of all rows with such findings, increasing */
	size_t row_count;
	int64_t smallest_ns, median_ns, largest_ns; /* of what the rows save by themselves */
	uint64_t count;				    /* calls or operations, summed over the rows */
	int64_t blocked_ns;			    /* summed over the rows */
	struct stated saved; /* what the job saves if all of these rows are fixed */
	bool is_folded;	     /* too small to be listed */
	bool is_later;	     /* every row needed other fixes to find it (pass 2 or later) */
	bool is_bound;	     /* `saved` is at most that: no row's saving was worth a replay */
	int64_t costs_ns; /* the most that the fix makes a row's own run longer by, beside the fixes
			      * that its report lists before it; 0: it does not */
	size_t costs_most; /* index of the row that costs_ns is of */
};

/* What the traces of some rows do not have, or what could not be judged there: not_seen of a
 * report. */
struct job_limit {
	const char *what, *why; /* why: the text of the first of the rows */
	bool is_same;		/* all of the rows have this text */
	size_t place;		/* index of the note in the first row's summary */
	uint32_t *rows;		/* indexes, increasing */
	size_t row_count;
};

/* Why the first straggler is late: a finding or an idle line, the other is NULL. more_ns: how much
 * more time the straggler loses there than the median of the other rows. Both NULL: no cause is
 * known. */
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
	/* It is not known when processes wait for each other. The job is taken to last as long as
	 * its slowest process. A rank whose GPU is idle because its host makes no calls may be
	 * waiting for another rank. The low end assumes that no such idle time is waiting. The
	 * estimate assumes that all such idle time is waiting. The high end assumes that all time
	 * of a rank is waiting. */
	JOB_SLOWEST,
	JOB_JOINT /* the joint replay of joint.h */
};

struct job_report {
	const struct job *job;
	struct job_row *rows;	  /* in the order of job->members */
	struct job_group *groups; /* in the order of groups_rank() (groups.h) */
	struct job_left_out *left_out;
	struct job_limit *limits;	  /* the limit with most rows first */
	struct job_straggler *stragglers; /* of collectives_stragglers() (job_collectives.h) */
	struct job_cause late_cause;	  /* of the first straggler */
	struct job_incidents incidents;
	size_t row_count, group_count, folded_count, left_out_count, limit_count, straggler_count;
	/* A line for each machine but the reference: how its clock compares, or why it does not
	 * (machine_clocks.h). Of many compared machines there is one line. A job of one machine has
	 * none. */
	char **clock_lines;
	size_t clock_line_count;
	size_t rank_count, host_count; /* ranks and hosts among the rows */
	int64_t expected_ranks;	      /* how many ranks the launcher says there are; 0: not known */
	int64_t wall_ns, untraced_ns; /* of the slowest row */
	struct stated lost;	      /* what the job saves with all findings fixed */
	enum job_method method;
	/* The joint replay without its groups. If joint.events is 0, there was nothing to
	 * replay. */
	struct joint joint;
	bool has_estimates;			   /* at least one row has estimates */
	uint64_t collective_count, complete_count; /* collectives; those to which all ranks came */
};

/* Makes the report, never NULL. Free it with job_report_free(), before the job. */
struct job_report *job_report_make(const struct job *job);
/* report may be NULL. */
void job_report_free(struct job_report *report);

/* Names a row: "rank 3"; "rank 3 (process 4242)" if the rank has several rows; "process 4242" if
 * the row has no rank. The caller frees the text. */
char *job_row_name(const struct job_report *report, size_t row);

/* The index of the process's row; SIZE_MAX: the process has none. */
size_t job_report_row(const struct job_report *report, job_member_id member);

/* Names the rows whose indexes are given in increasing order: "all 8 ranks", "rank 3", "ranks 0 to
 * 3 and 7", "3 processes". The caller frees the text. */
char *job_rows_name(const struct job_report *report, const uint32_t *rows, size_t count);

#endif
