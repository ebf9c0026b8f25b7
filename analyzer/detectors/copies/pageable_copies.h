/*
 * Copies of pageable host memory that kept the host in their calls: what the detectors of them share.
 */
#ifndef STREAMTRACE_PAGEABLE_COPIES_H
#define STREAMTRACE_PAGEABLE_COPIES_H

#include "detectors/detector.h"

/* Of an instance. */
struct pageable_copy {
	bool is_fresh;	/* the first copy to this host address */
	bool is_reused; /* a later copy reads the same host memory */
	/* The call of the copy to this host address before it, or NULL. */
	const struct trace_call *before;
};

static inline struct pageable_copy pageable_copy_of(const struct instance *instance)
{
	return instance_detail(instance, struct pageable_copy);
}

/* Those of the asynchronous form, or of the other one. */
void pageable_find(const struct observed *observed, bool is_async, struct instances *found);

/* For struct detector. */
void pageable_apply(const struct observed *observed, const struct instance *instances, size_t count,
		    enum doubt doubt, struct edits *edits);
struct cause pageable_cause(const struct model *model, const struct instance *instance);
void pageable_describe(const struct observed *observed, const struct instance *instance, char *text,
		       size_t size);

/* A copy's address in host memory. */
uint64_t pageable_host_address(const struct trace_operation *operation);

/* What page faults take in so much new memory; 0: not known. */
int64_t pageable_fault_ns(const struct model *model, const struct trace_operation *operation);

/* Whether the copy went to new memory, by its time: with the staging that ends its call. Where it is
 * not known what that takes, whether it may have: one that took less than the faults did not. */
bool pageable_is_to_new(const struct model *model, const struct instance *instance);

#endif
