/*
 * Launches of graphs that upload the graph first, while their stream has nothing to do for most of it, though the
 * graph could have been uploaded before. Any thread.
 */
#ifndef STREAMTRACE_GRAPH_UPLOADS_H
#define STREAMTRACE_GRAPH_UPLOADS_H

#include "base/vector.h"
#include "replay/observed.h"

struct graph_upload {
	const struct trace_call *call; /* the launch */
	/* A call of the thread that came right behind work which it had enqueued, or a copy that waits for itself: the
	 * graph could have been uploaded in front of it. The last one that is no other upload's. */
	const struct trace_call *place;
	int64_t upload_ns;	   /* what the upload took */
	int64_t bare_ns, place_ns; /* what the launch takes without it, and *place by itself */
	uint32_t nodes;		   /* that the launch ran */
};

struct graph_uploads {
	VECTOR(struct graph_upload) all; /* in the order of the launches */
};

/* Finds those of each call site that has LOOP_LEAST_TIMES (base/thresholds.def). Free by
 * graph_uploads_free(). */
struct graph_uploads graph_uploads_find(const struct observed *observed);
void graph_uploads_free(struct graph_uploads *uploads);

#endif
