/*
 * First use: when does the host first touch what a copy wrote for it?
 *
 * With STREAMTRACE_FIRST_USE the whole pages of a copy's destination are made inaccessible when the
 * host has waited for the copy: a synchronize that covers it, or the copy's own return. The first
 * touch (a fault, a system call, a CUDA call, see first_use/link.h) makes all of it accessible
 * again and becomes a row of first_uses. Memory is watched only where it is known whose it is:
 * pinned, or on the heap with a free() that is seen; never a stack, managed or device memory.
 *
 * first_use_enter() and first_use_exit() are called around each driver call that is recorded, on
 * the program's thread; they may lock, and cost system calls: this mode is for a second run. Off,
 * they are not called at all. errno is left alone. A copy that cannot be watched is counted
 * (base/losses.h); where the program's own handling of SIGSEGV gets in the way, watching ends for
 * good, and the metadata key first_use says so.
 */
#ifndef STREAMTRACE_FIRST_USE_H
#define STREAMTRACE_FIRST_USE_H

#include "api/functions.h"
#include "recorder/record.h"

#include <cupti.h>

#include <stdatomic.h>
#include <stdbool.h>

struct caller;
struct store;

extern _Atomic bool first_use_on;

static inline bool first_use_is_on(void)
{
	return __builtin_expect(atomic_load_explicit(&first_use_on, memory_order_relaxed), 0);
}

/* Reads the option; constructor. */
void first_use_initialize(void);

/* arguments: what keep.h keeps, of a call that has not failed (exit) or not returned (enter). */
void first_use_enter(enum function function, const struct record *arguments);
void first_use_exit(enum function function, const CUpti_CallbackData *data,
		    const struct record *arguments, const struct caller *caller);

/* A context is about to be destroyed, and its pinned memory with it. */
void first_use_leave(void);

/* The program ends: all memory is the program's again, for good. Any thread. */
void first_use_stop(void);

/* In a forked child: likewise, and nothing is known of the parent's memory. */
void first_use_after_fork(void);

/* Rows for the watches that have ended; the metadata key first_use. Writer thread. */
void first_use_store(struct store *store);
void first_use_describe(struct store *store);

#endif
