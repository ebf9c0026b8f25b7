/*
 * NCCL: what the program communicates between devices.
 *
 *	calls.def         the wrapped functions, and what is noted of each
 *	wrappers.c        the functions of NCCL's names
 *	library.h         NCCL's own functions
 *	communicators.h   the process' communicators, by their handles
 *
 * A wrapper makes the real call and leaves a record in the ring of its thread, no more: no lock, no CUDA call, no
 * system call in a collective. The CUDA calls that NCCL makes are recorded as any others. A communicator's
 * rank, size and device are asked of NCCL once, behind its first collective. Calls of NCCL into itself are not
 * recorded. errno is left as it was.
 */
#ifndef STREAMTRACE_NCCL_H
#define STREAMTRACE_NCCL_H

#include "facts/facts.h"
#include "stack/caller.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ncclUniqueId: by value. */
struct nccl_unique_id {
	uint8_t bytes[128];
};

/* ncclResult_t. What a wrapper returns without a real function: ncclInternalError. */
enum { NCCL_SUCCESS = 0, NCCL_NO_FUNCTION = 3, NCCL_IN_PROGRESS = 7 };

#define NO_ROOT (-1)

/* A call under way, in its wrapper's frame. */
struct nccl_call {
	struct caller caller;
	int64_t start_ns, end_ns;
	int result;
	bool is_recorded; /* it began in a window */
};

/* False: not to be noted. Else nccl_leave() must follow. */
bool nccl_enter(struct nccl_call *call);
/* The real call has returned. True: it did not fail. */
bool nccl_returned(struct nccl_call *call, int result);
void nccl_leave(void);

void nccl_note_collective(const struct nccl_call *call, enum collective_operation operation,
			  void *comm, size_t count, int datatype, int root_or_peer,
			  const void *stream);

/* Before the real call that ends one group: it can be the outermost one, and fail. */
void nccl_leave_group(const struct nccl_call *call);
void nccl_note_group_start(void);
void nccl_note_group_end(const struct nccl_call *call);

/* ids: as many unique ids as there are at `id`. */
void nccl_note_init(const struct nccl_call *call, void *const *comm, int ranks,
		    const struct nccl_unique_id *id, int ids, int rank);
void nccl_note_init_all(const struct nccl_call *call, void *const *comms, int ranks);
/* Of a part of the communicator: the same number for each that is in it. made: the new one, or NULL for a
 * process that is in no part. */
void nccl_note_split(const struct nccl_call *call, void *comm, uint64_t part, void *const *made);
/* Before the real call: another thread can get the handle as soon as it is free. */
void nccl_note_destroyed(const struct nccl_call *call, void *comm);

/* In a forked child. */
void nccl_after_fork(void);

#endif
