/*
 * Which collectives of a rank go into the model of paths.h, and what each of their kernels is there.
 *
 * A kernel of one collective is its event. NCCL makes one kernel of several calls of a group: of
 * collectives with the same ranks the first stands for all; else, as of sends and receives with several
 * ranks, the kernel has an event of its own at its begin and one at its end, and theirs are between them.
 * One thread.
 */
#ifndef STREAMTRACE_RENDEZVOUS_H
#define STREAMTRACE_RENDEZVOUS_H

#include "job/paths.h"
#include "trace/trace.h"

/* So many of a part's first kernels may be left out for its first one to be of many ranks. */
#define RENDEZVOUS_REACH 64

struct rendezvous_kernel {
	uint32_t operation;	  /* index in trace.operations */
	uint32_t arrives, leaves; /* events */
	uint32_t ranks;		  /* the most that take part */
	uint64_t kind; /* equal: the same operations of as many bytes on the same communicators */
};

/* NCCL's buffers take so much of what goes one way (NCCL_BUFFSIZE, by default): a kernel that has only to hand over
 * that much, such as the root's of a broadcast, ends without the others. */
#define RENDEZVOUS_EAGER_BYTES (UINT64_C(4) << 20)

struct rendezvous {
	struct rendezvous_kernel *kernels; /* by their starts */
	bool *are_eager;		   /* by kernel: it waits for nobody */
	size_t count, all_count;	   /* here, and in the trace */
	size_t anchor;			   /* the first with the most ranks; of a part kernel 0 */
	struct paths_event *events;	   /* as paths.events */
	size_t event_count;
	struct paths_edges inner; /* between the events of kernels that have several */
};

/* Freed with rendezvous_free(); without kernels count is 0. member: the rank's own number. */
struct rendezvous rendezvous_find(const struct trace *trace, uint64_t member);
void rendezvous_free(struct rendezvous *rendezvous);

#endif
