/*
 * Finds which memory an operation reads and writes, from its call's arguments and the allocations
 * so far.
 *
 * A copy or set has addresses in its call. A kernel uses the memory that its arguments point to, each
 * argument up to the end of the allocation, as its code says (ptx/kernel_uses.h). Without its code it
 * reads that memory, and also writes it, unless the parameter is a pointer to const. A pointer into no
 * known allocation reaches its own address only. One thread.
 */
#ifndef STREAMTRACE_MODEL_ACCESSES_H
#define STREAMTRACE_MODEL_ACCESSES_H

#include "base/vector.h"
#include "model/kernel_parameters.h"
#include "model/model.h"
#include "model/extents.h"

struct access {
	uint64_t start, end; /* [start, end) */
	bool is_read,
		is_written; /* a kernel: parts of it, perhaps; one that writes counts as reading, too */
};

struct accesses {
	/* The last operation passed to accesses_find(): */
	VECTOR(struct access) all;
	/* `all` contains everything that the operation reads, or writes, on the device. */
	bool reads_seen, writes_seen;
	bool gives_result; /* a kernel that writes memory which the host reads without a copy */

	/* Set by the caller: of a graph's node count the arguments of the launch, copy or set that was captured as it, unless
	 * the graph was updated. Without it nothing of a node is seen. */
	bool sees_nodes;

	/* All operations so far: */
	struct model_seen seen;

	/* Only for accesses.c: */
	const struct trace *trace;
	const struct trace_operation *operation;
	const struct trace_call *call; /* whose arguments count */
	struct extents allocations;    /* values: indexes in trace->allocations, plus one */
	size_t next_allocation;
	bool has_variables; /* of the program, in memory that any kernel can reach */
	/* From an address to the end of what a pointer to it reaches; until the next allocation. */
	struct map reaches;
	struct map kernels; /* from mangled name to index in parameters */
	VECTOR(struct kernel_parameters) parameters;
};

/* The trace must outlive the result. Free by accesses_free(). */
struct accesses *accesses_create(const struct trace *trace);
void accesses_free(struct accesses *accesses);

/* Enters the next allocation made at or before time_ns, and returns it; NULL: no more. Before each
 * accesses_find(), call accesses_next_allocation() with the time when the operation was enqueued,
 * until it returns NULL. An allocation once entered stays: a smaller time_ns than before enters
 * nothing. Releases do not matter: nothing uses an address between its release and its next
 * allocation. */
const struct trace_allocation *accesses_next_allocation(struct accesses *accesses, int64_t time_ns);

/* The allocation, of those entered, that contains the address; NULL: none. */
const struct trace_allocation *accesses_allocation_at(const struct accesses *accesses,
						      uint64_t address);

/* Fills in the first members of *accesses for the operation, and adds to accesses->seen. Call once
 * for each operation, in the order of model_steps(). */
void accesses_find(struct accesses *accesses, const struct trace_operation *operation);

#endif
