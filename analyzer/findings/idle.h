/*
 * Why the GPU was idle: the time in which no engine was busy, by cause and by line. The causes of a
 * table add up exactly to its idle time. Times are those inside the windows of the recording;
 * strings of sites belong to the trace. One thread.
 */
#ifndef STREAMTRACE_IDLE_H
#define STREAMTRACE_IDLE_H

#include "findings/headline.h"
#include "replay/idle_pieces.h"
#include "trace/site.h"

#define IDLE_LINES 5

/* Idle time of one cause at one line: the line of the call during which it passed; for work between
 * calls, of the call after it. */
struct idle_line {
	int64_t ns;
	size_t gap_count;
	struct site site;
	const char *function; /* name of the call: "cudaMemcpyAsync" */
	bool has_from;
	struct site from; /* for work between calls: line of the call before it */
};

struct idle_row {
	int64_t ns;
	struct idle_line lines[IDLE_LINES]; /* longest first */
	size_t line_count;
};

struct idle_table {
	uint32_t device_id;
	int64_t idle_ns;
	struct idle_row rows[IDLE_CAUSE_COUNT];
};

struct idle {
	struct idle_table all;	    /* time in which no engine of any device was busy */
	struct idle_table *devices; /* each device by itself; none if there is only one */
	size_t device_count;
};

/* Free by idle_free(). */
struct idle *idle_build(const struct observed *observed, const struct headline *headline);
void idle_free(struct idle *idle);

/* A cause's word and text: "host-work", "host busy between calls". Static. */
const char *idle_cause_word(enum idle_cause cause);
const char *idle_cause_text(enum idle_cause cause);

/* How long no engine was busy between the first operation and the last. */
int64_t idle_between_operations_ns(const struct idle_table *table);

#endif
