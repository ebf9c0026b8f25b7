/*
 * Pools of cudaMallocAsync() that do not keep their memory: a synchronize gives it back to the
 * device, and the next allocation of as much maps it again. A part of alloc-in-loop.
 *
 * Passes over the calls. One thread.
 */
#ifndef STREAMTRACE_POOL_TRIMS_H
#define STREAMTRACE_POOL_TRIMS_H

#include "detectors/detector.h"

/* Of an instance of alloc-in-loop: what gave back the memory before the call. */
struct pool_trims_pair {
	const struct trace_call *release;
};

static inline const struct trace_call *pool_trims_release(const struct instance *instance)
{
	return instance_detail(instance, struct pool_trims_pair).release;
}

/* Adds allocations, each with the synchronize before it that gave the memory back. */
void pool_trims_find(const struct model *model, struct instances *found);

/* The pools keep the memory of these of the instances: those that it added. */
void pool_trims_apply(const struct model *model, const struct instance *instances, size_t count,
		      struct edits *edits);

/* Whether it added the instance. */
bool pool_trims_is_one(const struct instance *instance);

#endif
