/*
 * NCCL's communicators and the collectives on them: NCCL's calls, joined with their kernels.
 *
 * The structs are the elements of arrays of struct trace, with the schema's units and meanings. The
 * arrays belong to the trace and live until trace_close(). Any thread.
 */
#ifndef STREAMTRACE_COLLECTIVES_H
#define STREAMTRACE_COLLECTIVES_H

#include "trace/trace.h"

#include <string.h>

#define NO_COMMUNICATOR SIZE_MAX
#define NO_KERNEL	SIZE_MAX
#define NO_SEQUENCE	(-1)

/* The trace's communicators are in the order of id, which is that of creation. */
struct trace_communicator {
	int64_t id;
	const char *unique_id; /* 16 digits, equal on all its ranks; NULL: unknown */
	int64_t created_ns;    /* 0: before the trace began */
	int64_t destroyed_ns;  /* INT64_MAX: not during the trace */
	int32_t rank, ranks;   /* -1: unknown */
	uint32_t device_id;    /* TRACE_NO_DEVICE: unknown */
};

/* One call; for a call captured into a graph, one launch of the graph. The trace's collectives are
 * in the order of start_ns; those of one launch are in the order of capture. */
struct trace_collective {
	int64_t start_ns, end_ns; /* of the call, or of the graph's launch */
	/* When the collective's kernel, if any, was enqueued: end_ns; in a group, the end of
	 * ncclGroupEnd. */
	int64_t enqueued_ns;
	/* The collective's number in its communicator, from 0 and equal on all ranks; sends and
	 * receives are numbered for each peer. NO_SEQUENCE: unknown. */
	int64_t sequence;
	uint64_t bytes; /* as collectives.size_bytes */
	uint64_t stream_handle;
	size_t communicator; /* index in trace->communicators, or NO_COMMUNICATOR */
	/* Index in trace->operations; NO_KERNEL: not found. Several collectives of a group can
	 * share a kernel, because NCCL makes one of them. If a group has several kernels on a
	 * stream, this is the last kernel. */
	size_t kernel;
	const struct trace_site *site; /* or NULL */
	uint32_t thread_id;
	int32_t root_or_peer; /* -1: none */
	enum collective_operation operation : 8;
	uint8_t datatype; /* ncclDataType_t */
	bool is_grouped;  /* between ncclGroupStart and ncclGroupEnd */
	bool is_replayed; /* made by a launch of the graph into which it was captured */
};

/* "all-reduce" and so on; static. */
const char *collective_word(enum collective_operation operation);

/* True for sends and receives, which join only two ranks. */
static inline bool collective_is_pairwise(enum collective_operation operation)
{
	return operation == COLLECTIVE_SEND || operation == COLLECTIVE_RECEIVE;
}

/* Whether a kernel is one of NCCL's that communicate. name: mangled; false for NULL. Such kernels
 * were called ncclKernel, then ncclDevKernel, and ncclSymkDevKernel with symmetric memory. */
static inline bool collective_is_kernel(const char *name)
{
	const char *nccl = name ? strstr(name, "nccl") : NULL;

	return nccl && strstr(nccl, "Kernel");
}

/* Whether NCCL's library made the call, for itself or to enqueue what the program asked for. */
static inline bool collective_is_call_of_nccl(const struct trace_call *call)
{
	const struct trace_site *site = call->form->site;
	const char *module = site && site->depth ? site->frames[0].module : NULL;

	return module && strstr(module, "/libnccl");
}

#define NO_COLLECTIVE UINT32_MAX

/* For each of trace->operations, the index of the first collective with this kernel, or
 * NO_COLLECTIVE; the caller must free() it. NULL: no collective has a kernel. */
uint32_t *trace_collectives_of_kernels(const struct trace *trace);

/* The bytes of one element. datatype: an ncclDataType_t; 1 for an unknown one. */
uint32_t collective_datatype_bytes(uint8_t datatype);

/* How many collectives have a kernel. */
size_t trace_matched_collectives(const struct trace *trace);

#endif
