/*
 * WHAT: the host prepares each batch by itself, between its calls, while the GPU has nothing to do.
 * EVIDENCE: before most calls of one line, and at least four times, the host's thread was busy for
 *   100 us and more without a call. The GPU was idle for a part of it because the next work was not
 *   enqueued yet, and that was a copy to the device: of what the host had prepared, and not of what
 *   NCCL sets up for itself. No result came back from the GPU since the time before.
 * COST: the time in which the GPU was idle.
 * FALSE POSITIVES: the fix lets other threads or processes do this work for the next batches
 *   while this thread enqueues the current one and waits for it: it relies on the work not needing
 *   what this thread does then. Results that were seen to come back before the work count as
 *   needed by it, and by that for later batches, unless they are seen not to have been touched
 *   (streamtrace run --first-use). The estimate is for the fewest workers that bring 95 % of what
 *   any number does, each with a processor of its own and as fast as the thread was alone; the low
 *   end is for half of them. The host's memory bounds their batches, which the trace does
 *   not know. A thread that waits for another one, or sleeps, looks like one that works; where
 *   another thread made a call meanwhile, other than a query, it counts as waiting. Shorter work
 *   costs less than handing it to another thread. What the host prepares in memory that the GPU
 *   reads without a copy is not found.
 */
#include "base/thresholds.h"
#include "detectors/detector.h"
#include "detectors/host/workers.h"
#include "detectors/host/works.h"
#include "replay/observed/polls.h"

#include <stdio.h>

/* Whether another thread made a call meanwhile. A thread that only queries does no work for this
 * one. */
static bool is_handed_over(const struct trace *trace, int64_t start_ns,
			   const struct trace_call *call)
{
	const struct trace_call *other = call;
	size_t looked_at = 0;

	while (other > trace->calls && other[-1].start_ns >= start_ns) {
		other--;
		if (!polls_is_query(other) || ++looked_at == CALLS_MOST_LOOKED_AT)
			return true;
	}
	return false;
}

/* A copy to the device of what the host has prepared: nobody has looked at what the thread did. */
static bool is_preparation(const void *context, const struct idle_piece *piece,
			   struct work_part *part)
{
	const struct model *model = context;

	(void)part;
	return piece->operation && piece->operation->form->engine == ENGINE_H2D &&
	       !model->trace->is_looked_at &&
	       !is_handed_over(model->trace, piece->from->end_ns, piece->call);
}

static void find_host_bound_work(const struct observed *observed, struct instances *found)
{
	works_find(observed, &(struct works_wanted){is_preparation, false, false, observed->model},
		   found);
}

static void describe_host_bound(const struct observed *observed, const struct instance *instance,
				char *text, size_t size)
{
	struct host_work own = instance_detail(instance, struct host_work);
	struct format work, idle;

	(void)observed;
	snprintf(text, size, "host busy for %s between %s and %s; GPU idle for %s of it",
		 format_time(&work, instance->call->start_ns - own.since->end_ns),
		 own.since->form->function->name, instance->call->form->function->name,
		 format_time(&idle, own.idle_ns));
}

const struct detector detector_host_bound = {
	.id = "host-bound",
	.title = "The GPU waits while the host prepares the next work between its calls",
	.fix = "Prepare the next batches in other threads, into buffers of their own, while this "
	       "thread enqueues the current one. That must not need what this thread does "
	       "meanwhile.",
	.cost = "GPU idle",
	.low_end = "side by side, workers may be half as fast as one alone",
	.pointers = {DETAIL_POINTER(struct host_work, since),
		     DETAIL_POINTER_ANYWHERE(struct host_work, before)},
	.doubt = "the host may prepare the next batch from results that came back before",
	.find = find_host_bound_work,
	.apply = works_edit_all,
	.ways = WORKS_WAYS,
	.assume = works_assume,
	.describe = describe_host_bound,
};
