/*
 * The communicators of the process: by their handles, with what their collectives are counted by.
 *
 * A handle is the communicator's that was last added with it. Finding one takes no lock and may be done by any
 * thread and signal handler; adding and removing one locks. Bounded: 4,096 at once.
 */
#ifndef STREAMTRACE_NCCL_COMMUNICATORS_H
#define STREAMTRACE_NCCL_COMMUNICATORS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct communicator {
	_Atomic uintptr_t handle; /* 0: never used */
	_Atomic int64_t id;	  /* in the process, from 1; 0: destroyed */
	_Atomic uint64_t unique;  /* communicators.unique_id of schema.sql; 0: not known */
	_Atomic uint64_t collectives;
	_Atomic uint32_t splits;
	_Atomic bool is_described; /* rank, ranks and device were asked for */
};

/* NULL: it was not added, or is destroyed. */
struct communicator *communicators_find(const void *handle);

/* A new one; NULL: there is no room. */
struct communicator *communicators_add(const void *handle, uint64_t unique);

/* The id that it had, or 0. */
int64_t communicators_remove(const void *handle);

/* How many sends to the peer, or receives from it, there were before this one; -1: no room. */
int64_t communicators_next_of_pair(const struct communicator *communicator, int peer, bool is_send);

/* In a forked child, which cannot use them. */
void communicators_after_fork(void);

#endif
