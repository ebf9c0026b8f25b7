/*
 * What a job's report knows of one process: a few facts, its findings, when it came to collectives.
 *
 * As a file it is an SQLite database below 1 MB (summary.sql). It is as untrusted as a trace: what is
 * read has texts that are safe to print, numbers in their ranges, and indexes that exist.
 *
 * A summary owns its memory until summary_free(); nothing of it belongs to a trace. One thread each.
 */
#ifndef STREAMTRACE_JOB_SUMMARY_H
#define STREAMTRACE_JOB_SUMMARY_H

#include "base/memory.h"
#include "findings/analysis.h"
#include "job/arrivals.h"
#include "job/paths.h"
#include "replay/idle_pieces.h"

/* The most that a summary has of each. Of findings those that save most. */
#define SUMMARY_FINDINGS      64
#define SUMMARY_DEVICES	      64
#define SUMMARY_COMMUNICATORS 1024
#define SUMMARY_NOTES	      16
#define SUMMARY_IDLE_LINES    16 /* the longest ones */
#define SUMMARY_FIXES	      8	 /* whose joint replay is made: those that save most */

#define SUMMARY_NO_RANK (-1)

/* How the engines of a device shared the run, and why it was idle. */
struct summary_load {
	int64_t busy_ns[ENGINE_COUNT];
	int64_t idle_ns, overlapped_ns;
	int64_t idle_by_cause_ns[IDLE_CAUSE_COUNT];
};

struct summary_device {
	uint32_t id;
	const char *name; /* NULL: not known */
	int64_t wall_ns;  /* from its first operation to its last */
	struct summary_load load;
	struct interval lost;
};

struct summary_finding {
	/* As struct finding has them; NULL where that has none. */
	const char *id, *title, *fix, *relies_on, *price, *cost;
	const char *where; /* "train.py:31", below the working directory; or "libfoo.so+0x1234" */
	const char *function; /* short; or NULL */
	const char *evidence; /* of the longest one; or NULL */
	uint32_t number;      /* in the process's own report, from 1 on */
	uint32_t pass;
	uint64_t count;
	int64_t blocked_ns;
	struct interval lost;
	bool is_folded;
};

struct summary_communicator {
	uint64_t unique_id; /* 0: not known, and nothing can be matched */
	uint32_t rank, ranks, device_id;
	uint64_t collectives; /* calls seen, and how many of them have a kernel */
	uint64_t matched;
};

/* Where the GPU was idle (findings/idle.h). */
struct summary_idle_line {
	enum idle_cause cause;
	const char *where, *function;
	const char *from; /* of work between two calls the line of the first one; or NULL */
	int64_t ns;
	uint64_t gaps;
};

struct summary_note {
	const char *what, *why;
};

struct summary {
	const char *trace;			/* the path, safe to print */
	const char *program, *host, *run, *gpu; /* NULL: not known */
	const char *boot_id;			/* equal: the same clock; NULL: not known */
	const char *traced_by;	   /* equal: of one `streamtrace run`; NULL: not known */
	int64_t process_id;	   /* -1: not known */
	int64_t rank, local_rank;  /* SUMMARY_NO_RANK */
	int64_t ranks;		   /* of the job, as its launcher says; 0: not known */
	int64_t start_ns, end_ns;  /* of the trace's metadata, CLOCK_REALTIME; 0: not known */
	int64_t first_ns, last_ns; /* the first activity began, the last one ended */
	int64_t wall_ns, untraced_ns;
	int64_t replayed_ns; /* of the self-check; -1: it could not run */
	uint64_t call_count, operation_count;
	bool has_untraced, has_untraced_cupti, has_estimates, is_sample;
	struct summary_load load; /* of all devices together */
	struct interval lost;
	struct summary_device *devices;
	struct summary_finding *findings;     /* in the report's order */
	struct summary_idle_line *idle_lines; /* the longest first */
	struct summary_communicator *communicators;
	struct arrival *arrivals;   /* arrivals_sort() */
	struct summary_note *notes; /* why something is missing */
	size_t device_count, finding_count, idle_line_count, communicator_count, arrival_count,
		note_count;
	struct paths *paths; /* paths.h; NULL: none */
	struct arena texts;
};

/* Who the process is in its job: ordered by rank, those without one behind them. Two processes could have the
 * same. */
uint64_t summary_member_id(const struct summary *summary);

/* Of a trace's analysis. */
struct summary *summary_of_analysis(const struct trace *trace, const struct analysis *analysis);

/* As a file's content, malloc'ed; the same summary gives the same bytes. NULL: *error says why, as
 * trace_load() does. */
void *summary_to_bytes(const struct summary *summary, size_t *size, char **error);
struct summary *summary_from_bytes(const void *bytes, size_t size, char **error);

/* Its facts alone, without times, findings, arrivals and the like, quickly. */
struct summary *summary_read_facts(const char *path, char **error);

/* 0, or -1 and *error. A file that is there is replaced as a whole. */
int summary_write(const struct summary *summary, const char *path, char **error);
struct summary *summary_read(const char *path, char **error);

/* Whether the file at path begins like a summary. */
bool summary_is_at(const char *path);

void summary_free(struct summary *summary);

#endif
