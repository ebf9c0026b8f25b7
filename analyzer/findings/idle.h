/*
 * Why the GPU was idle: the time in which no engine was busy, by cause and by line.
 *
 * The causes of a table add up to its idle time, to the ns. Times are those within the windows of
 * the recording. Belongs to the analysis; strings of sites belong to the trace. One thread.
 */
#ifndef STREAMTRACE_IDLE_H
#define STREAMTRACE_IDLE_H

#include "findings/analysis.h"
#include "replay/idle_pieces.h"

#define IDLE_LINES 5

/* Idle time with one cause at one line: the call that it passed in; of work between calls, the call
 * behind it. */
struct idle_line {
	int64_t ns;
	size_t gap_count;
	struct site site;
	const char *function; /* the call's: "cudaMemcpyAsync" */
	bool has_from;
	struct site from; /* of work between calls, the call before it */
};

struct idle_row {
	int64_t ns;
	struct idle_line lines[IDLE_LINES]; /* the longest first */
	size_t line_count;
};

struct idle_table {
	uint32_t device_id;
	int64_t idle_ns;
	struct idle_row rows[IDLE_CAUSE_COUNT];
};

struct idle {
	struct idle_table all;	    /* no engine of any device was busy */
	struct idle_table *devices; /* each device by itself; none where there is one */
	size_t device_count;
};

/* The analysis has its model, evidence and headline. */
struct idle *idle_build(const struct analysis *analysis);
void idle_free(struct idle *idle);

/* "host-work", "host busy between calls". */
const char *idle_cause_word(enum idle_cause cause);
const char *idle_cause_text(enum idle_cause cause);

/* The time between the first operation and the last in which no engine was busy. */
int64_t idle_between_operations_ns(const struct idle_table *table);

#endif
