/*
 * Runs of small copies: made in a row by one thread, in one stream and one direction, with nothing
 * enqueued or waited for in between, whose calls take several times as long as one copy of all
 * their bytes would.
 *
 * A copy is small if transferring its bytes takes less than half of its call's own time, and it has
 * at most 64 KB. Linear in the calls. One thread.
 */
#ifndef STREAMTRACE_COPY_RUNS_H
#define STREAMTRACE_COPY_RUNS_H

#include "base/vector.h"
#include "replay/observed.h"

struct copy_run {
	const struct trace_call *first, *last;
	size_t count;
	uint64_t bytes;	   /* sum over the copies */
	int64_t calls_ns;  /* how long the calls take if nothing else is pending */
	bool is_scattered; /* on the device the pieces lie far apart, or it is unknown */
};

struct copy_runs {
	VECTOR(struct copy_run) found; /* sorted by the end of their last call */
	uint8_t *is_in;		       /* by index in trace.calls: not 0 if in a run; NULL: no
				        * runs */
};

struct copy_runs copy_runs_find(const struct observed *observed);
void copy_runs_free(struct copy_runs *runs);

/* Whether the operation's call is in a run. */
static inline bool copy_runs_have(const struct copy_runs *runs, const struct model *model,
				  const struct trace_operation *operation)
{
	return runs->is_in && operation->call && runs->is_in[operation->call - model->trace->calls];
}

/* The duration of one copy of all the run's bytes. */
int64_t copy_runs_one_ns(const struct model *model, const struct copy_run *run, enum rate_end end);

/* Whether the call makes a small copy between host and device. */
bool copy_runs_is_small(const struct observed *observed, const struct trace_call *call);

#endif
