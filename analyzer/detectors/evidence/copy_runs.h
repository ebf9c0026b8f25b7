/*
 * Runs of small copies: those that one thread makes in a row, in one stream and one direction, with
 * nothing enqueued or waited for between them, and whose calls take several times as long as one
 * copy of all their bytes would.
 *
 * A copy is small where its bytes take less than half of what its call takes by itself, and are no
 * more than 64 KB. Linear in the calls. One thread.
 */
#ifndef STREAMTRACE_COPY_RUNS_H
#define STREAMTRACE_COPY_RUNS_H

#include "base/vector.h"
#include "replay/observed.h"

struct copy_run {
	const struct trace_call *first, *last;
	size_t count;
	uint64_t bytes;	  /* of all */
	int64_t calls_ns; /* what the calls take when nothing else is pending */
	bool is_scattered; /* on the device the copies do not lie close together, or it is not known */
};

struct copy_runs {
	VECTOR(struct copy_run) found; /* by the end of their last call */
	uint8_t *is_in;		       /* by index in trace.calls: of a run; NULL: there is none */
};

struct copy_runs copy_runs_find(const struct observed *observed);
void copy_runs_free(struct copy_runs *runs);

/* Whether the operation's call is one of a run. */
static inline bool copy_runs_have(const struct copy_runs *runs, const struct model *model,
				  const struct trace_operation *operation)
{
	return runs->is_in && operation->call && runs->is_in[operation->call - model->trace->calls];
}

/* What one copy of all bytes takes on the device. */
int64_t copy_runs_one_ns(const struct model *model, const struct copy_run *run, enum rate_end end);

/* Whether the call copies so little between the host and the device. */
bool copy_runs_is_small(const struct observed *observed, const struct trace_call *call);

#endif
