/*
 * NCCL: records the program's communication between devices.
 *
 *	nccl_calls.def    the wrapped functions, and what is recorded of each
 *	nccl_wrappers.c   the functions with NCCL's names
 *	nccl_library.h    NCCL's own functions
 *	communicators.h   the process's communicators, by handle
 *
 * A wrapper makes the real call and pushes a record into its thread's ring: no lock, no CUDA call,
 * and in a collective no system call. CUDA calls made by NCCL are recorded like all others; calls
 * of NCCL into itself are not. A communicator's rank, size and device are asked from NCCL once,
 * after its first collective. errno is left alone.
 */
#ifndef STREAMTRACE_NCCL_H
#define STREAMTRACE_NCCL_H

#include "facts/facts.h"
#include "stack/caller.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ncclUniqueId, passed by value. */
struct nccl_unique_id {
	uint8_t bytes[128];
};

/* Values of ncclResult_t. NCCL_NO_FUNCTION (ncclInternalError): a wrapper found no real
 * function. */
enum { NCCL_SUCCESS = 0, NCCL_NO_FUNCTION = 3, NCCL_IN_PROGRESS = 7 };

#define NO_ROOT (-1)

/* A running call, in its wrapper's stack frame. */
struct nccl_call {
	struct caller caller;
	int64_t start_ns, end_ns;
	int result;
	bool is_recorded; /* the call began in a window (recorder/windows.h) */
};

/* Call before the real function, with call->caller set. True: the caller must call nccl_returned(),
 * note the call, and call nccl_leave(). False: do none of these. */
bool nccl_enter(struct nccl_call *call);
/* Call right after the real function. True: the real function succeeded, or is in progress. */
bool nccl_returned(struct nccl_call *call, int result);
void nccl_leave(void);

/* Records a collective, send or receive. count: elements of type datatype (ncclDataType_t).
 * root_or_peer: NO_ROOT if the operation has neither. */
void nccl_note_collective(const struct nccl_call *call, enum collective_operation operation,
			  void *comm, size_t count, int datatype, int root_or_peer,
			  const void *stream);

/* nccl_leave_group() counts one open group less on this thread: call before the real
 * ncclGroupEnd(), which ends the group even if it fails. Call the other two after the real function
 * succeeded. nccl_note_group_end() records the end of an outermost group that had calls. */
void nccl_leave_group(const struct nccl_call *call);
void nccl_note_group_start(void);
void nccl_note_group_end(const struct nccl_call *call);

/* Notes the new communicator at *comm. ids: number of unique ids at `id`; 0: does nothing. */
void nccl_note_init(const struct nccl_call *call, void *const *comm, int ranks,
		    const struct nccl_unique_id *id, int ids, int rank);
/* Notes the `ranks` new communicators at comms, all of this process. */
void nccl_note_init_all(const struct nccl_call *call, void *const *comms, int ranks);
/* Notes a communicator split off from `comm`. part: a number that is equal for all processes which
 * join the same new communicator. made: where its handle is; NULL, or pointing to NULL, if this
 * process joins none. */
void nccl_note_split(const struct nccl_call *call, void *comm, uint64_t part, void *const *made);
/* Notes that `comm` is destroyed. Call before the real function: another thread can get the handle
 * as soon as it is free. */
void nccl_note_destroyed(const struct nccl_call *call, void *comm);

/* Call in a forked child: forgets all communicators. */
void nccl_after_fork(void);

#endif
