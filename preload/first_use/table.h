/*
 * The memory that is watched: a fixed table, which any thread and any signal handler may end a
 * watch of, without a lock.
 *
 * A watch is expected (its copy was made), in force (a wait has covered the copy, the pages are
 * protected), ended (the writer makes a row of it), then free. Those in force do not overlap.
 * Functions that begin or arm a watch are called with first_use.c's lock held and signals blocked.
 */
#ifndef STREAMTRACE_FIRST_USE_TABLE_H
#define STREAMTRACE_FIRST_USE_TABLE_H

#include "first_use/link.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

struct store;

static inline uint32_t first_use_thread_id(void)
{
	return (uint32_t)syscall(SYS_gettid);
}

/* A copy whose destination is to be watched. */
struct first_use_copy {
	uint64_t address, size_bytes;
	uintptr_t low, high; /* the pages that are the destination's alone */
	uint32_t context;
	uint32_t correlation;
	uint64_t stream; /* its handle: 1 legacy, 2 per-thread */
	uint64_t serial; /* counts what was enqueued and recorded */
	uint32_t thread_id;
	bool is_blocking;  /* the stream waits for the legacy default stream, and it for this */
	bool is_pageable;  /* on the heap */
	bool is_reachable; /* by kernels, through the host's own page tables */
};

/* What a wait has waited for. */
struct first_use_wait {
	int64_t time_ns;
	uint32_t context, thread_id;
	bool is_all;	 /* of the context */
	uint64_t stream; /* else: this one, */
	uint32_t stream_thread_id;
	uint64_t serial;      /* as far as it was enqueued before, */
	uint32_t correlation; /* or, not 0, this copy alone */
};

/* A copy that finds the table full is counted as lost (base/losses.h). */
void first_use_expect(const struct first_use_copy *copy);

/* Protects what the wait has covered. */
void first_use_arm(const struct first_use_wait *wait);

/* While CUDA reads the range: what it reads it has ordered itself, and the host has not touched it.
 * first_use_suspend() for any thread. */
void first_use_suspend(uintptr_t low, uintptr_t high);
void first_use_resume(uintptr_t low, uintptr_t high);

/* Those in force or suspended that overlap the range; with is_expected those too that no wait has
 * covered. Any thread. low 0, high UINTPTR_MAX: all. */
void first_use_end(const struct first_use *use, bool is_expected);
void first_use_end_in_force(const struct first_use *use);
/* Of those the ones that kernels reach. */
void first_use_end_reachable(void);

bool first_use_fault(uintptr_t address, uintptr_t instruction, enum first_use_kind kind);

/* Whether watches can begin. first_use_close(): no more, and none is in force any longer. */
void first_use_open(void);
void first_use_close(enum first_use_kind kind);

extern _Atomic int first_use_count; /* in force */

/* All is free again, and the program has its memory. In a forked child. */
void first_use_forget(void);

/* Writer thread. */
void first_use_store_ended(struct store *store);

#endif
