/*
 * WHAT: a thread waits for another thread or process to hand it the next step's work, and the GPU
 *   has nothing to do meanwhile: the workers are too few or too slow.
 * EVIDENCE: the GPU was idle between two calls of one thread that lie 100 us or more apart.
 *   Snapshots of the host's threads (table host_states) show the thread, for most of the time in
 *   which it works or waits for work,
 *   asleep until another thread wakes it (a condition, a semaphore, a queue), or reading from
 *   another process' queue. The line did so at least four times. No result came back from the
 *   GPU since the time before. A framework's thread that waits for the program's thread does not
 *   count, nor does a line that waits for a library's threads at work.
 * COST: the time in which the GPU was idle.
 * FALSE POSITIVES: the fix adds workers; it relies on the work of different steps being
 *   independent. How many workers there are is not recorded: the estimate is for so many times as
 *   many. The low end is for half of those in addition. Who woke the thread is not recorded. A thread
 *   that waits for a step's results rather than for its input looks the same, where the results
 *   come back without a copy that the trace sees.
 */
#include "detectors/host/host_kind_works.h"
#include "detectors/host/workers.h"
#include "detectors/host/works.h"

static void find_loader_empty(const struct observed *observed, struct instances *found)
{
	host_kind_works_find(observed, HOST_KIND_LOADER, found);
}

static void describe_loader_empty(const struct observed *observed, const struct instance *instance,
				  char *text, size_t size)
{
	host_kind_works_describe(observed, instance, "waiting for a worker", text, size);
}

const struct detector detector_loader_empty = {
	.id = "loader-empty",
	.title = "The GPU waits because the workers that prepare its input do not keep up",
	.fix = "Add workers, or make each faster, until the queue is never empty.",
	.cost = "GPU idle",
	.low_end = "side by side, workers may be half as fast as one alone",
	.pointers = {DETAIL_POINTER(struct host_work, since),
		     DETAIL_POINTER_ANYWHERE(struct host_work, before)},
	.doubt = "the workers may prepare the next step from results that came back before",
	.find = find_loader_empty,
	.apply = works_edit_all,
	.ways = WORKS_WAYS_OF_OTHERS,
	.assume = works_assume,
	.describe = describe_loader_empty,
};
