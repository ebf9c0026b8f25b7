/*
 * Runs of small copies: made in a row by one thread, in one stream and one direction, with nothing
 * enqueued or waited for in between.
 *
 * A copy is small if it has at most 64 KB, and transferring its bytes takes less than half of the
 * call's own time. If the rate of copies is unknown, no copy is small. Takes time linear in the
 * calls. Any thread.
 */
#ifndef STREAMTRACE_COPY_RUNS_H
#define STREAMTRACE_COPY_RUNS_H

#include "base/vector.h"
#include "replay/observed.h"

struct copy_run {
	const struct trace_call *first, *last; /* both are copies of the run */
	size_t count;	   /* copies, LOOP_LEAST_STEPS (thresholds.def) or more */
	uint64_t bytes;	   /* sum over the copies */
	int64_t calls_ns;  /* sum of the calls' times, without waiting for other work */
	bool is_scattered; /* on the device the pieces lie far apart, or addresses are unknown */
};

struct copy_runs {
	VECTOR(struct copy_run) found; /* a thread's runs are sorted by time */
	uint8_t *is_in;		       /* by index in trace.calls: not 0 for a copy of a run; NULL:
				        * there are no runs */
};

/* Free the result by copy_runs_free(). */
struct copy_runs copy_runs_find(const struct observed *observed);
void copy_runs_free(struct copy_runs *runs);

/* Whether the operation's call is a copy of a run. */
static inline bool copy_runs_have(const struct copy_runs *runs, const struct model *model,
				  const struct trace_operation *operation)
{
	return runs->is_in && operation->call && runs->is_in[operation->call - model->trace->calls];
}

/* The duration in ns of one copy of all the run's bytes, at this end of the copies' rate. */
int64_t copy_runs_one_ns(const struct model *model, const struct copy_run *run, enum rate_end end);

/* Whether the call makes a small copy between host and device. */
bool copy_runs_is_small(const struct observed *observed, const struct trace_call *call);

#endif
