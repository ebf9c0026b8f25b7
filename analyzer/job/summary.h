/*
 * A summary: what the report of a job knows of one process. It has some facts, the process's
 * findings, and when the process came to collectives.
 *
 * A summary's file is an SQLite database below 1 MB (summary.sql). The file is as untrusted as a
 * trace. A summary that was read has texts that are safe to print, numbers in their ranges, and
 * indexes that exist.
 *
 * A summary owns all of its memory, which summary_free() frees. The trace and the analysis may be
 * freed before. One thread at a time for each summary.
 */
#ifndef STREAMTRACE_JOB_SUMMARY_H
#define STREAMTRACE_JOB_SUMMARY_H

#include "base/memory.h"
#include "findings/analysis.h"
#include "job/arrivals.h"
#include "job/paths.h"
#include "replay/idle_pieces.h"

/* The most items of each kind in a summary. SUMMARY_FINDINGS: the findings that save most. */
#define SUMMARY_FINDINGS      64
#define SUMMARY_DEVICES	      64
#define SUMMARY_COMMUNICATORS 1024
#define SUMMARY_NOTES	      16
#define SUMMARY_IDLE_LINES    16 /* the longest ones */
#define SUMMARY_FIXES	      8	 /* findings with a group in paths: the findings that save most */

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
	int64_t wall_ns;  /* from the start of its first operation to the end of its last */
	struct summary_load load;
	struct stated lost;
};

struct summary_finding {
	/* As in struct finding; NULL if the member there is NULL. */
	const char *id, *title, *fix, *relies_on, *price, *cost;
	const char *where; /* "train.py:31", below the working directory; or "libfoo.so+0x1234" */
	const char *function; /* short name of the function around the line; or NULL */
	const char *evidence; /* the text of the longest wait; or NULL */
	uint32_t number;      /* the finding's number in the process's own report, from 1 on */
	uint32_t pass;	      /* the pass that found it: from 2 on only with other fixes in */
	/* As in struct finding. */
	uint64_t count;
	int64_t blocked_ns;
	struct stated lost;
	bool is_folded;
	bool is_bound;	  /* as in struct finding; in a summary of format 1.0 false */
	int64_t costs_ns; /* as in struct finding; in a summary of format 1.0 0 */
};

struct summary_communicator {
	uint64_t unique_id; /* 0: not known, and no collective can be matched with other ranks' */
	uint32_t rank, ranks, device_id; /* the process's rank; how many ranks; the device */
	uint64_t collectives;		 /* calls */
	uint64_t matched;		 /* calls whose kernel is known */
};

/* A line during which the GPU was idle (findings/idle.h). */
struct summary_idle_line {
	enum idle_cause cause;
	const char *where, *function;
	const char *from; /* the line of the first call, for work between two calls; else NULL */
	int64_t ns;	  /* idle time of all gaps together */
	uint64_t gaps;	  /* how many gaps */
};

/* A limitation of the trace (not_seen of the report). */
struct summary_note {
	const char *what, *why;
};

/* Why the watch mode wrote the trace (incident/incident.h). -1: a number that is not known. */
struct summary_incident {
	const char
		*text; /* all of it, in a sentence; NULL: the watch mode did not write the trace */
	const char *why; /* where the step's extra time went; NULL: not known */
	int64_t step, step_ns, extra_ns;
	int64_t own_ns;	 /* of extra_ns, without waits for the device */
	int64_t late_ns; /* when the largest part of own_ns began, after the step */
};

struct summary {
	const char *trace;			/* path of the trace, safe to print */
	const char *program, *host, *run, *gpu; /* NULL: not known */
	const char *boot_id;   /* processes with equal boot_id share a clock; NULL: not known */
	const char *traced_by; /* equal for processes of one `streamtrace run`; NULL: not known */
	int64_t process_id;    /* -1: not known */
	int64_t rank, local_rank;     /* SUMMARY_NO_RANK: the process has none */
	int64_t ranks;		      /* how many ranks the launcher says there are; 0: not known */
	int64_t start_ns, end_ns;     /* from the trace's metadata, CLOCK_REALTIME; 0: not known */
	int64_t first_ns, last_ns;    /* when the first activity began, and the last one ended */
	int64_t wall_ns, untraced_ns; /* as in struct headline, and in struct self_check */
	int64_t replayed_ns;	      /* by the self-check; -1: the replay failed */
	uint64_t call_count, operation_count;
	/* The first three as in struct self_check. is_sample: the analysis is of a sample. */
	bool has_untraced, has_untraced_cupti, has_estimates, is_sample;
	struct summary_incident incident;
	struct summary_load load; /* of all devices together */
	struct stated lost;
	struct summary_device *devices;
	struct summary_finding *findings;     /* in the report's order */
	struct summary_idle_line *idle_lines; /* the longest first */
	struct summary_communicator *communicators;
	struct arrival *arrivals;   /* sorted by arrivals_sort() */
	struct summary_note *notes; /* why something is missing */
	size_t device_count, finding_count, idle_line_count, communicator_count, arrival_count,
		note_count;
	struct paths *paths; /* the rank's model (paths.h); NULL: none */
	struct arena texts;  /* owns all texts of the summary */
};

/* A number for the process in its job. Ids are ordered by rank; ids of processes without a rank
 * come last. Two processes can have the same id: of the host it has only a hash. */
uint64_t summary_member_id(const struct summary *summary);

/* Makes the summary of an analysed trace. Never NULL; the caller frees it with summary_free(). */
struct summary *summary_of_analysis(const struct trace *trace, const struct analysis *analysis);

/* Sets summary->incident, with copies of both texts, of which `why` may be NULL. */
void summary_set_incident(struct summary *summary, const struct incident *incident,
			  const char *text, const char *why);

/* summary_to_bytes() returns the content of a summary's file, of *size bytes: equal summaries give
 * equal bytes. summary_from_bytes() returns the summary of such bytes. The caller frees the bytes
 * with free(). On failure both return NULL, and *error is one line that says why, which the caller
 * frees. */
void *summary_to_bytes(const struct summary *summary, size_t *size, char **error);
struct summary *summary_from_bytes(const void *bytes, size_t size, char **error);

/* Reads only the file's facts, which is quick: not its times, findings and arrivals. NULL: failure,
 * and *error is one line that says why, which the caller frees. */
struct summary *summary_read_facts(const char *path, char **error);

/* summary_write() replaces a file at path as a whole, or not at all. It returns 0, or -1 on
 * failure. summary_read() returns NULL on failure. On failure of either, *error is one line that
 * says why, which the caller frees. */
int summary_write(const struct summary *summary, const char *path, char **error);
struct summary *summary_read(const char *path, char **error);

/* Whether there is a file at path, and it begins like a summary's file. */
bool summary_is_at(const char *path);

/* summary may be NULL. */
void summary_free(struct summary *summary);

#endif
