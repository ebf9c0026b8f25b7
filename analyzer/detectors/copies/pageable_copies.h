/*
 * Copies between the device and pageable host memory that blocked the host: shared by the detectors
 * of such copies. One thread at a time for each struct instances.
 */
#ifndef STREAMTRACE_PAGEABLE_COPIES_H
#define STREAMTRACE_PAGEABLE_COPIES_H

#include "detectors/detector.h"

/* What these detectors keep in an instance. */
struct pageable_copy {
	bool is_fresh;	/* D2H: no copy before had this host address */
	bool is_reused; /* H2D: a later instance reads this address, or it is unknown */
	bool is_kept;	/* H2D: the host does not write that memory (kept_sources.h) */
	/* The thread's next call, if it waits for the stream in the same line: a framework's copy
	 * that blocks; or NULL. */
	const struct trace_call *sync;
	/* The call of the last copy before to or from this host address, or NULL. */
	const struct trace_call *before;
	/* How long the host copied into the pinned buffer before the call (filled_copies.h); 0: the
	 * copy is from or to pageable memory itself. */
	int64_t filled_ns;
};

static inline struct pageable_copy pageable_copy_of(const struct instance *instance)
{
	return instance_detail(instance, struct pageable_copy);
}

/* Adds the asynchronous copies if is_async is true, else the synchronous ones. Copies in runs
 * (copy_runs.h) are left out. */
void pageable_find(const struct observed *observed, bool is_async, struct instances *found);

/* For the members of struct detector. pageable_apply_alone() leaves the copies where they are in
 * their step, if any of them could come ahead (copies_ahead.h). */
void pageable_apply(const struct observed *observed, const struct instance *instances, size_t count,
		    enum doubt doubt, struct edits *edits);
bool pageable_apply_alone(const struct observed *observed, const struct instance *instances,
			  size_t count, struct edits *edits);
void pageable_assume(const struct instance *instances, size_t count, char *text, size_t size);
struct cause pageable_cause(const struct model *model, const struct instance *instance);
void pageable_describe(const struct observed *observed, const struct instance *instance, char *text,
		       size_t size);

/* The host address that the copy's call gives; 0: unknown. The operation must have a call. */
uint64_t pageable_host_address(const struct trace_operation *operation);

/* The time that page faults take in as much new memory as the copy has bytes; 0: unknown. */
int64_t pageable_fault_ns(const struct model *model, const struct trace_operation *operation);

/* Whether a D2H copy went to new memory, which nothing had touched, judged by the copy's duration
 * with staging. If the rate of staging or of page faults is unknown, true if the copy is_fresh and
 * took at least as long as the page faults. False for an H2D copy. */
bool pageable_is_to_new(const struct model *model, const struct instance *instance);

#endif
