/*
 * WHAT: Python collects garbage between the calls that feed the GPU, and the GPU has nothing to do
 *   meanwhile.
 * EVIDENCE: the GPU was idle between two calls of one thread that lie 100 us or more apart.
 *   Snapshots of the host's threads (table host_states) show the thread in that time while Python
 *   collected garbage, at least four times at one line, and for longer than that line ran by itself:
 *   else the collections are part of its work (host-work).
 * COST: the time in which the GPU was idle.
 * FALSE POSITIVES: the estimate is for a loop that never collects. Objects that refer to each other
 *   in a circle then stay in memory. Collections of Python 3.13 and later are not seen.
 */
#include "detectors/host/host_parts.h"

static void find_garbage_collection(const struct observed *observed, struct instances *found)
{
	host_parts_find(observed, HOST_KIND_GARBAGE, found);
}

static void describe_garbage_collection(const struct observed *observed,
					const struct instance *instance, char *text, size_t size)
{
	host_parts_describe(observed, instance, "collecting garbage", text, size);
}

const struct detector detector_garbage_collection = {
	.id = "garbage-collection",
	.title = "Python's garbage collection keeps the GPU idle",
	.fix = "Call gc.freeze() before the loop, so that collections skip the objects of that "
	       "time, and gc.disable(); call gc.collect() now and then where the GPU has work.",
	.cost = "GPU idle",
	.pointers = {DETAIL_POINTER(struct host_time, since)},
	.find = find_garbage_collection,
	.apply = host_parts_remove,
	.describe = describe_garbage_collection,
};
