/*
 * First use: when does the host first touch what a copy wrote for it? And early watches: does it
 * touch the memory of an asynchronous copy before it has waited for the copy?
 *
 * With STREAMTRACE_FIRST_USE the whole pages of a copy's destination are made inaccessible once the
 * host has waited for the copy, by a synchronization or in the copy's own call. The first touch (a
 * fault, a system call, a CUDA call: first_use/link.h) makes all of them accessible again, and
 * becomes a row of first_uses. Only memory of known owner is watched: pinned memory, and the heap
 * if free() is seen; never stacks, managed or device memory.
 *
 * With STREAMTRACE_RACES the pinned memory of an asynchronous copy is watched from its call up to a
 * wait that covers it: the pages of a destination are inaccessible, those of a source read-only.
 * Pinned memory that a kernel is given is watched as a source, from the pointer up to its end.
 * Each such watch becomes a row of copy_watches.
 *
 * first_use_enter() and first_use_exit() must be called around each recorded driver call, on its
 * thread, while first_use_is_on(). They may lock and make system calls, so use the mode in a second
 * run. errno is left alone. A copy that cannot be watched is counted (base/losses.h). If the
 * program's own handling of SIGSEGV interferes, watching ends for good; metadata keys first_use and
 * races then have the reason.
 */
#ifndef STREAMTRACE_FIRST_USE_H
#define STREAMTRACE_FIRST_USE_H

#include "api/functions.h"
#include "recorder/record.h"

#include <cupti.h>

#include <stdatomic.h>
#include <stdbool.h>

struct caller; /* stack/caller.h */
struct store;

extern _Atomic bool first_use_on;

static inline bool first_use_is_on(void)
{
	return __builtin_expect(atomic_load_explicit(&first_use_on, memory_order_relaxed), 0);
}

/* Reads the options. Call in the constructor. */
void first_use_initialize(void);

/* Call first_use_enter() before a recorded driver call and first_use_exit() after it. arguments: a
 * record with the fields that api/keep.h sets. first_use_exit() also needs the result in the
 * record; output fields of a failed call are not used. */
void first_use_enter(enum function function, const struct record *arguments);
void first_use_exit(enum function function, const CUpti_CallbackData *data,
		    const struct record *arguments, const struct caller *caller);

/* Ends all watches. Call before a context is destroyed, and with it its pinned memory. */
void first_use_leave(void);

/* Call when the program ends: makes all memory accessible, for good. Any thread. */
void first_use_stop(void);

/* Call in a forked child: makes all memory accessible, and forgets the parent's watches. */
void first_use_after_fork(void);

/* first_use_store() stores the ended watches as rows, first_use_describe() the metadata keys
 * first_use and races; neither without the options. Writer thread. */
void first_use_store(struct store *store);
void first_use_describe(struct store *store);

#endif
