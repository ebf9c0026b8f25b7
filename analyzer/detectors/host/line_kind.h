/*
 * The kind of what looks found at a line, by all that they found there in all gaps. host_kinds.c fills
 * the sums while it divides the gaps, and settles the parts afterwards. One thread at a time.
 */
#ifndef STREAMTRACE_LINE_KIND_H
#define STREAMTRACE_LINE_KIND_H

#include "detectors/host/host_kinds.h"
#include "model/host_record.h"

/* What was found at a line in all gaps, of threads that ran. */
struct line_sum {
	int64_t running_ns, compile_ns, file_ns, garbage_ns;
	double faults, system_ns;
	bool is_system_unknown; /* of some of the time */
};

/* The kind of a thread that did not run. */
enum host_kind line_kind_of_wait(const struct trace_host_state *state, enum host_frame_doing doing);

/* Adds a thread that ran for ns of the piece. doing: what its frames say. */
void line_sum_add(struct line_sum *sum, const struct host_piece *piece, int64_t ns,
		  enum host_frame_doing doing);

/* Gives the part of a thread that ran (HOST_KIND_COUNT) its kind, and changes other kinds where the line as
 * a whole says otherwise. fault_ns: what a page fault takes. */
void line_kind_settle(struct host_part *part, const struct line_sum *sum, double fault_ns);

#endif
