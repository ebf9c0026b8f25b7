/*
 * Copies of pageable host memory that blocked the host: shared by the detectors of such copies. One
 * thread.
 */
#ifndef STREAMTRACE_PAGEABLE_COPIES_H
#define STREAMTRACE_PAGEABLE_COPIES_H

#include "detectors/detector.h"

/* What these detectors keep in an instance. */
struct pageable_copy {
	bool is_fresh;	/* the first copy to this host address */
	bool is_reused; /* a later copy reads the same host memory */
	/* The call of the former copy to this host address, or NULL. */
	const struct trace_call *before;
};

static inline struct pageable_copy pageable_copy_of(const struct instance *instance)
{
	return instance_detail(instance, struct pageable_copy);
}

/* Adds the asynchronous copies (is_async), or the synchronous ones. */
void pageable_find(const struct observed *observed, bool is_async, struct instances *found);

/* Members of struct detector. */
void pageable_apply(const struct observed *observed, const struct instance *instances, size_t count,
		    enum doubt doubt, struct edits *edits);
struct cause pageable_cause(const struct model *model, const struct instance *instance);
void pageable_describe(const struct observed *observed, const struct instance *instance, char *text,
		       size_t size);

/* A copy's host address. */
uint64_t pageable_host_address(const struct trace_operation *operation);

/* The time that page faults take in as much new memory as the copy has bytes; 0: unknown. */
int64_t pageable_fault_ns(const struct model *model, const struct trace_operation *operation);

/* Whether the copy went to memory that was new (never touched), judged by its duration including
 * staging. If the cost of staging is unknown: true, unless the copy took less than the page faults
 * alone. */
bool pageable_is_to_new(const struct model *model, const struct instance *instance);

#endif
