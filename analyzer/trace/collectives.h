/*
 * NCCL's communicators and what was communicated on them: calls, joined with their kernels.
 *
 * Arrays of struct trace; units and meanings are the schema's. They belong to the trace and live until
 * trace_close(). One thread.
 */
#ifndef STREAMTRACE_COLLECTIVES_H
#define STREAMTRACE_COLLECTIVES_H

#include "trace/trace.h"

#include <string.h>

#define NO_COMMUNICATOR SIZE_MAX
#define NO_KERNEL	SIZE_MAX
#define NO_SEQUENCE	(-1)

/* Ordered by id, which is the order in which they were made. */
struct trace_communicator {
	int64_t id;
	const char *unique_id; /* 16 digits, the same on all of its ranks; NULL: not known */
	int64_t created_ns;    /* 0: before the trace began */
	int64_t destroyed_ns;  /* INT64_MAX: not during the trace */
	int32_t rank, ranks;   /* -1: not known */
	uint32_t device_id;    /* TRACE_NO_DEVICE: not known */
};

/* One call, or, where the call was captured into a graph, one launch of the graph. Ordered by start_ns,
 * those of one launch as they were captured. */
struct trace_collective {
	int64_t start_ns, end_ns; /* of the call, or of the launch of the graph */
	/* When its kernel was enqueued, if it has one: end_ns, or the end of the ncclGroupEnd that
	 * ended its group. */
	int64_t enqueued_ns;
	/* In its communicator, from 0; of sends and receives with each peer. Equal on all ranks. NO_SEQUENCE:
	 * not known. */
	int64_t sequence;
	uint64_t bytes; /* as collectives.size_bytes */
	uint64_t stream_handle;
	size_t communicator; /* index in trace->communicators, or NO_COMMUNICATOR */
	/* Index in trace->operations. Several collectives of a group can have the same one: NCCL makes one
	 * kernel of them; and of several kernels of a group on one stream this is the last. NO_KERNEL: none was
	 * found. */
	size_t kernel;
	const struct trace_site *site; /* or NULL */
	uint32_t thread_id;
	int32_t root_or_peer; /* -1: it has none */
	enum collective_operation operation : 8;
	uint8_t datatype; /* ncclDataType_t */
	bool is_grouped;  /* between ncclGroupStart and ncclGroupEnd */
	bool is_replayed; /* by a launch of the graph that it was captured into */
};

/* "all-reduce" and the like; static. */
const char *collective_word(enum collective_operation operation);

/* A send or a receive, which joins two ranks only. */
static inline bool collective_is_pairwise(enum collective_operation operation)
{
	return operation == COLLECTIVE_SEND || operation == COLLECTIVE_RECEIVE;
}

/* Whether the kernel, by its mangled name, is one of NCCL's that communicate; NULL is none. They were called
 * ncclKernel, then ncclDevKernel, and ncclSymkDevKernel with symmetric memory. */
static inline bool collective_is_kernel(const char *name)
{
	const char *nccl = name ? strstr(name, "nccl") : NULL;

	return nccl && strstr(nccl, "Kernel");
}

/* Whether NCCL's library makes the call, for itself or to enqueue what the program asked it for. */
static inline bool collective_is_call_of_nccl(const struct trace_call *call)
{
	const struct trace_site *site = call->form->site;
	const char *module = site && site->depth ? site->frames[0].module : NULL;

	return module && strstr(module, "/libnccl");
}

#define NO_COLLECTIVE UINT32_MAX

/* By index in trace->operations the first collective that has the kernel, or NO_COLLECTIVE; NULL: no kernel is of
 * one. Freed with free(). */
uint32_t *trace_collectives_of_kernels(const struct trace *trace);

/* Bytes of a ncclDataType_t; 1 of one that is not known. */
uint32_t collective_datatype_bytes(uint8_t datatype);

/* How many have a kernel. */
size_t trace_matched_collectives(const struct trace *trace);

#endif
