/*
 * What a thread did between two of its calls while no GPU was busy, by looks at the thread
 * (model/host_record.h). Each kind has one detector.
 *
 * A gap is the time between two calls, the second of which follows the first (host_gaps.h), in
 * which the GPU was idle because of the second one's thread. A gap's parts are the ends of that thread's
 * chains (model/host_chain.h), by line and kind. One thread at a time.
 */
#ifndef STREAMTRACE_HOST_KINDS_H
#define STREAMTRACE_HOST_KINDS_H

#include "detectors/detector.h"

enum host_kind {
	HOST_KIND_WORK,	     /* a line's own work */
	HOST_KIND_LOADER,    /* waiting for a thread or process that prepares the next work */
	HOST_KIND_FILE,	     /* reading or writing a file */
	HOST_KIND_WAIT,	     /* asleep, or waiting for something else outside of the program */
	HOST_KIND_COMPILE,   /* compiling device code, or what leads to it */
	HOST_KIND_LOCK,	     /* waiting for a lock that another thread has, the interpreter's too */
	HOST_KIND_GARBAGE,   /* Python's collection of garbage */
	HOST_KIND_FAULTS,    /* page faults of new memory, mapping and unmapping */
	HOST_KIND_PREEMPTED, /* ready to run, and without a processor */
	HOST_KIND_LAUNCH,    /* a framework's own way to the launch of a kernel */
	HOST_KIND_LIBRARY,   /* a library's thread that makes calls works for a line that waits */
	HOST_KIND_COUNT
};

/* What looks found of one kind at one line in a gap. */
struct host_part {
	const struct trace_call *since, *call;	 /* the gap is between them */
	const struct trace_operation *operation; /* that the GPU waited for */
	struct host_place place;		 /* site NULL: no stack */
	const struct trace_host_state *state;	 /* the first */
	enum host_kind kind;
	uint32_t line;	     /* the same number for the same line */
	struct span idle;    /* from the first idle time in it to the last */
	int64_t idle_ns, ns; /* the part's time: with the GPU idle, and in all */
	int64_t garbage_ns;  /* of ns, Python collected garbage */
};

struct host_kinds {
	struct host_part *parts; /* by gap, in order of time; in a gap the longest first */
	size_t count;
	struct host_kinds_private *own;
};

/* NULL: the trace has no host states. Free by host_kinds_free(), which takes NULL, too. */
struct host_kinds *host_kinds_create(const struct observed *observed);
void host_kinds_free(struct host_kinds *kinds);

/* The parts of the gap before the call; *count of them, 0 if there is no gap. */
const struct host_part *host_kinds_before(const struct host_kinds *kinds,
					  const struct trace_call *call, size_t *count);

#endif
