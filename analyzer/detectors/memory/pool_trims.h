/*
 * Pools of cudaMallocAsync() that do not keep their memory: a synchronization gives the memory back
 * to the device, and the next allocation of the same size maps memory again. Part of the detector
 * alloc-in-loop. Takes time linear in the calls. Any thread.
 */
#ifndef STREAMTRACE_POOL_TRIMS_H
#define STREAMTRACE_POOL_TRIMS_H

#include "detectors/detector.h"

/* The detail of all instances of alloc-in-loop. */
struct pool_trims_pair {
	/* The call before the allocation that gave memory back: the synchronization if
	 * pool_trims_is_one(), else the free. Never NULL. */
	const struct trace_call *release;
	/* Of managed memory (first_touches.h): the thread's call behind the host's first touch of
	 * it, and what the touch took before that call; NULL and 0: none was recorded. */
	const struct trace_call *touched;
	int64_t touch_ns;
};

/* The release of an instance of alloc-in-loop. */
static inline const struct trace_call *pool_trims_release(const struct instance *instance)
{
	return instance_detail(instance, struct pool_trims_pair).release;
}

/* Adds the allocations that mapped memory again. A call site with fewer than LOOP_LEAST_TIMES
 * (base/thresholds.def) of them is left out. */
void pool_trims_find(const struct model *model, struct instances *found);

/* Adds to *edits that the pools keep their memory: the allocation and the synchronization get
 * short. Does so only for the instances that pool_trims_find() added. */
void pool_trims_apply(const struct model *model, const struct instance *instances, size_t count,
		      struct edits *edits);

/* Whether pool_trims_find() added the instance, which must be of alloc-in-loop. */
bool pool_trims_is_one(const struct instance *instance);

#endif
