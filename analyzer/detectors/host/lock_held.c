/*
 * WHAT: the thread that feeds the GPU waits for a lock that another thread holds: Python's own
 *   lock, or a mutex. The GPU has nothing to do meanwhile.
 * EVIDENCE: the GPU was idle between two calls of one thread that lie 100 us or more apart.
 *   Snapshots of the host's threads (table host_states) show the thread in that time asleep in the
 *   futex of a mutex, or in one that lies in Python's runtime, at least four times at one line.
 * COST: the time in which the GPU was idle.
 * FALSE POSITIVES: the estimate is for steps that need not wait. The other thread then runs
 *   beside this one, which needs a free processor.
 */
#include "detectors/host/host_parts.h"

static void find_lock_held(const struct observed *observed, struct instances *found)
{
	host_parts_find(observed, HOST_KIND_LOCK, found);
}

static void describe_lock_held(const struct observed *observed, const struct instance *instance,
			       char *text, size_t size)
{
	host_parts_describe(observed, instance, "waiting for a lock", text, size);
}

const struct detector detector_lock_held = {
	.id = "lock-held",
	.title = "The thread that feeds the GPU waits for a lock that another thread holds",
	.fix = "Hold the lock for less time, or do the other thread's work without it: in another "
	       "process if the lock is Python's own.",
	.cost = "GPU idle",
	.pointers = {DETAIL_POINTER(struct host_time, since)},
	.find = find_lock_held,
	.apply = host_parts_remove,
	.describe = describe_lock_held,
};
