/*
 * WHAT: a line of the host's own code takes time in each step, and the GPU has nothing to do
 *   meanwhile.
 * EVIDENCE: the GPU was idle between two calls of one thread that lie 100 us or more apart.
 *   Snapshots of the host's threads (table host_states) show the thread in that time running that
 *   line, or what the line calls: neither compiling, nor reading a file, nor in page faults, nor in a
 *   framework's function for a line that launches a kernel before or behind the gap. The time
 *   without a processor does not count. The line did so at least four times. Calls between which
 *   nobody looked count as others from the same two lines, if they lie closer together than the
 *   looks. No result came back from the GPU since the time before.
 * COST: the time in which the GPU was idle.
 * FALSE POSITIVES: the fix lets other threads or processes do this work for the next steps. It
 *   relies on the work not needing what this thread does meanwhile. Results that were seen to
 *   come back before the work count as needed by it, unless they are seen not to have been
 *   touched (streamtrace run --first-use). The estimate is for the fewest workers that bring 95 % of
 *   what any number does that has room on the processors, each as fast as the thread was. The low end
 *   is for half of them: beside each other they may be slower. Python code needs processes for that,
 *   because it holds the interpreter's lock. How many batches ahead fit in the host's memory is not
 *   known. Python's collection of garbage counts as work of a line that it takes less time than. What
 *   a framework prepares on the processor in the function that launches its kernels is not found.
 */
#include "detectors/host/host_kind_works.h"
#include "detectors/host/workers.h"
#include "detectors/host/works.h"

static void find_host_work(const struct observed *observed, struct instances *found)
{
	host_kind_works_find(observed, HOST_KIND_WORK, found);
}

static void describe_host_work(const struct observed *observed, const struct instance *instance,
			       char *text, size_t size)
{
	host_kind_works_describe(observed, instance, "host busy", text, size);
}

const struct detector detector_host_work = {
	.id = "host-work",
	.title = "The GPU waits for the host's own work at this line",
	.fix = "Let other threads or processes do this work for the next steps while this thread "
	       "enqueues the current one, or do less of it: at once for many steps, or on the GPU.",
	.cost = "GPU idle",
	.low_end = "side by side, workers may be half as fast as one alone",
	.pointers = {DETAIL_POINTER(struct host_work, since),
		     DETAIL_POINTER_ANYWHERE(struct host_work, before)},
	.doubt = "the host may do the next step's work from results that came back before",
	.find = find_host_work,
	.apply = works_edit_all,
	.ways = WORKS_WAYS,
	.assume = works_assume,
	.describe = describe_host_work,
};
