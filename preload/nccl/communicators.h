/*
 * The process's NCCL communicators, found by their handles, and counters of their collectives.
 *
 * NCCL may reuse a handle: it then means the communicator added last. communicators_find() and
 * communicators_next_of_pair() take no lock: any thread, signal handlers too. communicators_add()
 * and communicators_remove() take a lock: any thread. At most 4,096 communicators at once.
 */
#ifndef STREAMTRACE_NCCL_COMMUNICATORS_H
#define STREAMTRACE_NCCL_COMMUNICATORS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct communicator {
	_Atomic uintptr_t handle;     /* 0: slot never used */
	_Atomic int64_t id;	      /* number in the process, from 1; 0: destroyed */
	_Atomic uint64_t unique;      /* column communicators.unique_id of schema.sql; 0: unknown */
	_Atomic uint64_t collectives; /* how many so far, without sends and receives */
	_Atomic uint32_t splits;      /* how many calls have split it so far */
	_Atomic bool is_described;    /* rank, ranks and device were asked for */
};

/* Returns the communicator with this handle, valid until communicators_remove(); nobody frees it.
 * NULL: never added, or removed. */
struct communicator *communicators_find(const void *handle);

/* Adds a communicator with a new id. unique: see the field. NULL: no room, or handle NULL. */
struct communicator *communicators_add(const void *handle, uint64_t unique);

/* Removes the communicator with this handle and returns its id; 0: there is none. */
int64_t communicators_remove(const void *handle);

/* Returns how many sends to the peer (is_send), or receives from it, came before this one, and
 * counts this one. -1: no room. */
int64_t communicators_next_of_pair(const struct communicator *communicator, int peer, bool is_send);

/* Call in a forked child, which cannot use the parent's communicators: forgets all. */
void communicators_after_fork(void);

#endif
