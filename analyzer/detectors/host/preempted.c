/*
 * WHAT: the thread that feeds the GPU is ready to run and gets no processor, because other threads
 *   or processes have them all, or a container's quota is used up; the GPU has nothing to do
 *   meanwhile.
 * EVIDENCE: the GPU was idle between two calls of one thread that lie 100 us or more apart.
 *   Snapshots of the host's threads (table host_states) show the thread in that time ready to run
 *   at a line, and by the kernel's count (schedstat) without a processor for a part of it, at least
 *   four times. That part counts.
 * COST: the time in which the GPU was idle.
 * FALSE POSITIVES: the estimate is for a machine that always has a processor for the thread. Which
 *   other threads or processes ran, or whether a quota was used up, is not known.
 */
#include "detectors/host/host_parts.h"

static void find_preempted(const struct observed *observed, struct instances *found)
{
	host_parts_find(observed, HOST_KIND_PREEMPTED, found);
}

static void describe_preempted(const struct observed *observed, const struct instance *instance,
			       char *text, size_t size)
{
	host_parts_describe(observed, instance, "without a processor", text, size);
}

const struct detector detector_preempted = {
	.id = "preempted",
	.title = "The thread that feeds the GPU gets no processor",
	.fix = "Run fewer threads and processes than there are processors: OMP_NUM_THREADS, "
	       "torch.set_num_threads(), fewer workers; or raise the container's limit.",
	.cost = "GPU idle",
	.pointers = {DETAIL_POINTER(struct host_time, since)},
	.find = find_preempted,
	.apply = host_parts_remove,
	.describe = describe_preempted,
};
