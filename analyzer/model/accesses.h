/*
 * Which memory an operation reads and writes, by its call's arguments and the allocations so far.
 *
 * A copy or set has its addresses; a kernel reaches what its arguments point to, from there to the
 * end of the allocation, and writes it unless they point to const. One thread.
 */
#ifndef STREAMTRACE_MODEL_ACCESSES_H
#define STREAMTRACE_MODEL_ACCESSES_H

#include "base/vector.h"
#include "model/kernel_parameters.h"
#include "model/model.h"
#include "model/ranges.h"

struct access {
	uint64_t start, end; /* [start, end) */
	bool is_read, is_written;
};

struct accesses {
	/* Of the operation that was asked about last: */
	VECTOR(struct access) all;
	bool reads_seen, writes_seen; /* those are all that it reads, or writes */
	bool gives_result; /* a kernel: some of what it writes is memory that the host reads */

	/* Of all so far: */
	struct model_seen seen;

	/* accesses.c's own. */
	const struct trace *trace;
	const struct trace_operation *operation;
	struct ranges allocations; /* values: indexes in trace->allocations, plus one */
	size_t next_allocation;
	struct map
		reaches; /* addresses to the ends of what they reach, until the next allocation */
	struct map kernels; /* names to parameters */
	VECTOR(struct kernel_parameters) parameters;
};

struct accesses *accesses_create(const struct trace *trace);
void accesses_free(struct accesses *accesses);

/* The next allocation up to the time, which accesses know from then on; NULL: there is none. A
 * release does not matter: until the next allocation at its address nothing uses it. */
const struct trace_allocation *accesses_next_allocation(struct accesses *accesses, int64_t time_ns);

/* The allocation that has the address in it; NULL: none so far. */
const struct trace_allocation *accesses_allocation_at(const struct accesses *accesses,
						      uint64_t address);

void accesses_find(struct accesses *accesses, const struct trace_operation *operation);

#endif
