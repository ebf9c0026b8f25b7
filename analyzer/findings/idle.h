/*
 * Why the GPU was idle: the time in which no engine was busy, by cause and by line. The causes of a
 * table add up exactly to the table's idle time. Times are those inside the windows of the
 * recording; strings belong to the trace. One thread.
 */
#ifndef STREAMTRACE_IDLE_H
#define STREAMTRACE_IDLE_H

#include "findings/headline.h"
#include "replay/host_idle.h"
#include "replay/observed.h"
#include "trace/site.h"

#define IDLE_LINES 5

/* Idle time of one cause at one line. */
struct idle_line {
	int64_t ns;
	size_t gap_count;     /* in how many gaps between operations the time passed */
	struct site site;     /* of the call during which the time passed; if it passed between two
			       * calls, of the second */
	const char *function; /* name of the call of `site`: "cudaMemcpyAsync" */
	bool has_from;	      /* the time passed between two calls */
	struct site from;     /* if has_from: of the first call */
};

struct idle_row {
	int64_t ns;			    /* all idle time of the cause, at any line or none */
	struct idle_line lines[IDLE_LINES]; /* longest first */
	size_t line_count;
};

struct idle_table {
	uint32_t device_id;			/* in idle.devices */
	int64_t idle_ns;			/* the sum of the rows */
	struct idle_row rows[IDLE_CAUSE_COUNT]; /* by enum idle_cause */
	struct host_idle *host; /* what IDLE_HOST_WORK was; NULL: nobody looked at the threads */
};

struct idle {
	struct idle_table all;	    /* time in which no engine of any device was busy */
	struct idle_table *devices; /* each device by itself, by index in model.device_ids */
	size_t device_count;	    /* 0 if the run has only one device */
};

/* Makes the tables; does not fail. Free by idle_free(): analysis_free() does so for
 * analysis->idle. */
struct idle *idle_build(const struct observed *observed, const struct headline *headline);
/* idle may be NULL. */
void idle_free(struct idle *idle);

/* A cause's word and text: "host-work", "host busy between calls". Static. */
const char *idle_cause_word(enum idle_cause cause);
const char *idle_cause_text(enum idle_cause cause);

/* Causes, the largest first. */
struct idle_ranking {
	enum idle_cause causes[IDLE_CAUSE_COUNT];
};
struct idle_ranking idle_ranking_of(const struct idle_table *table);

/* How long, in ns, no engine was busy between the table's first operation and its last. */
int64_t idle_between_operations_ns(const struct idle_table *table);

#endif
