/*
 * Chooses the collectives of a rank that go into the model of paths.h, and the events of their
 * kernels.
 *
 * NCCL makes one kernel of the calls of a group. A kernel of one collective is that collective's
 * event. If a kernel does several collectives of the same ranks, it is the event of the first
 * collective. Any other kernel, such as one of sends to and receives from several ranks, has an
 * event at its begin and one at its end. The events of its collectives are between these two. Any
 * thread.
 */
#ifndef STREAMTRACE_RENDEZVOUS_H
#define STREAMTRACE_RENDEZVOUS_H

#include "job/paths.h"
#include "trace/trace.h"

/* The most kernels that are skipped to let a part begin with a collective of many ranks. */
#define RENDEZVOUS_REACH 64

struct rendezvous_kernel {
	uint32_t operation; /* index in trace.operations */
	uint32_t arrives,
		leaves; /* its events at begin and end: indexes in rendezvous.events; can be equal */
	uint32_t ranks; /* how many ranks take part in its largest collective */
	uint64_t
		kind; /* a hash: equal for kernels of the same operations, bytes and communicators */
};

/* The size of NCCL's buffers for one direction (the default of NCCL_BUFFSIZE). A kernel that only
 * sends up to this many bytes, such as the root's of a broadcast, ends without waiting for the
 * other ranks. */
#define RENDEZVOUS_EAGER_BYTES (UINT64_C(4) << 20)

struct rendezvous {
	struct rendezvous_kernel *kernels; /* sorted by start */
	bool *are_eager;		   /* by kernel: whether it waits for no other rank */
	size_t count, all_count; /* kernels that are chosen; kernels of collectives in the trace */
	size_t anchor; /* the kernel that times count from: the first with the most ranks */
	struct paths_event *events; /* sorted as paths.events */
	size_t event_count;
	struct paths_edges inner; /* edges between the events of one kernel */
};

/* Chooses the trace's collectives. If the trace has none, count is 0. member: the rank's id in the
 * job. Free the result with rendezvous_free(). */
struct rendezvous rendezvous_find(const struct trace *trace, uint64_t member);
void rendezvous_free(struct rendezvous *rendezvous);

#endif
