/*
 * Pools of cudaMallocAsync() that do not keep their memory: a synchronization gives it back to the
 * device, and the next allocation of that size maps it again. Part of the detector alloc-in-loop.
 *
 * Passes over the calls. One thread.
 */
#ifndef STREAMTRACE_POOL_TRIMS_H
#define STREAMTRACE_POOL_TRIMS_H

#include "detectors/detector.h"

/* What alloc-in-loop keeps in an instance: the call that gave the memory back before. */
struct pool_trims_pair {
	const struct trace_call *release;
};

static inline const struct trace_call *pool_trims_release(const struct instance *instance)
{
	return instance_detail(instance, struct pool_trims_pair).release;
}

/* Adds such allocations, each with the synchronization before it. */
void pool_trims_find(const struct model *model, struct instances *found);

/* Edits: the pools keep their memory, for those of the instances that pool_trims_find() added. */
void pool_trims_apply(const struct model *model, const struct instance *instances, size_t count,
		      struct edits *edits);

/* Whether pool_trims_find() added the instance. */
bool pool_trims_is_one(const struct instance *instance);

#endif
