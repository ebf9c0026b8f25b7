/*
 * Selects the findings that a report shows, if the user asked for only some. One thread.
 */
#ifndef STREAMTRACE_SELECTION_H
#define STREAMTRACE_SELECTION_H

#include "findings/analysis.h"

struct trace;

/* What was asked for; all 0: everything. A finding is shown whole if one of its instances
 * matches. */
struct selection {
	/* Patterns of fnmatch() that match any part of the text, ignoring case; NULL: any. */
	const char *site;   /* file:line, function or module of the call site */
	const char *kernel; /* name of a kernel that waited or was waited for */
	const char *range;  /* name of an NVTX range in which it happened, or domain:name */
	bool has_stream, has_device, has_time;
	uint32_t stream, device;   /* ids */
	int64_t from_ns, until_ns; /* since the trace's first activity */
	int64_t least_ns;	   /* the least that a fix must save: alone, or in the list's
				    * order */
	double least_share;	   /* least_ns as a fraction of the untraced run */
	size_t top;		   /* the most findings to show; 0: no limit */
};

/* Whether it depends on single instances, of which a sample has only some. */
bool selection_asks_instances(const struct selection *selection);

/* Sets is_hidden of the findings, hidden_count and shown_lost. all: consider folded findings,
 * too. */
void selection_apply(const struct selection *selection, const struct trace *trace,
		     struct analysis *analysis, bool all);

#endif
