/*
 * Which findings a report shows, where it was asked for some of them. One thread.
 */
#ifndef STREAMTRACE_SELECTION_H
#define STREAMTRACE_SELECTION_H

#include "findings/analysis.h"

struct trace;

/* What is asked for; all 0: everything. A finding of which some instance matches is shown whole. */
struct selection {
	/* Patterns of fnmatch() for a part of the text, in any case; NULL: any. */
	const char *site;   /* file:line, function or module of the call site */
	const char *kernel; /* the name of a kernel that waited or that was waited for */
	const char *range;  /* the name of an NVTX range that it happened in, or domain:name */
	bool has_stream, has_device, has_time;
	uint32_t stream, device;
	int64_t from_ns, until_ns; /* since the trace's first activity */
	int64_t least_ns;	   /* what a fix saves, at least: alone, or in the list's order */
	double least_share;	   /* the same of the untraced run */
	size_t top;		   /* so many, at most; 0: any number */
};

/* Whether it asks what happened in single instances: a sample has only some of them. */
bool selection_asks_instances(const struct selection *selection);

/* Sets is_hidden of the findings, hidden_count and shown_lost. all: of folded ones too. */
void selection_apply(const struct selection *selection, const struct trace *trace,
		     struct analysis *analysis, bool all);

#endif
