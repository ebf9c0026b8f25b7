/*
 * Selects the findings that a report shows, if the user asked for only some. One thread.
 */
#ifndef STREAMTRACE_SELECTION_H
#define STREAMTRACE_SELECTION_H

#include "findings/analysis.h"

struct trace;

/* What the user asked for; zeros: everything. A finding is shown, with all its instances, if one
 * instance matches all that is asked of instances. */
struct selection {
	/* Patterns of fnmatch() that match any part of the text, ignoring case; NULL: any. */
	const char *site;   /* file:line, function or module of the call site */
	const char *kernel; /* name of a kernel that waited or was waited for */
	const char *range;  /* name of an NVTX range around the instance, or domain:name */
	bool has_stream, has_device, has_time; /* whether the members below count */
	uint32_t stream, device;	       /* ids */
	int64_t from_ns, until_ns;	       /* [from, until) since headline.origin_ns */
	int64_t least_ns;   /* the least that a fix must save: alone, or in the list's order */
	double least_share; /* the same limit as a fraction of the untraced run */
	size_t top;	    /* the most findings to show, from the list's begin; 0: no limit */
};

/* Whether the selection depends on single instances. A sample has only some of them. */
bool selection_asks_instances(const struct selection *selection);

/* Returns what the selection hides. The caller frees are_hidden; of analysis->selected,
 * analysis_free() does so. all: folded findings count as shown. trace: the whole run. */
struct selected selection_apply(const struct selection *selection, const struct trace *trace,
				const struct analysis *analysis, bool all);

/* Appends a row if ranges are asked for and the trace has none. */
void selection_note(const struct selection *selection, const struct trace *trace,
		    struct not_seen_list *not_seen);

#endif
