/*
 * The interface between libstrace.so and libstrace_touch.so in one process.
 *
 * libstrace.so keeps the table of watched memory (first_use.h). libstrace_touch.so interposes libc
 * to see faults, signal handlers and system calls. Only `streamtrace run --first-use` and `--races` load it,
 * so that it cannot disturb other runs. In `streamtrace try` libstrace_try.so has the place of libstrace.so (trial/guards.h).
 */
#ifndef STREAMTRACE_FIRST_USE_LINK_H
#define STREAMTRACE_FIRST_USE_LINK_H

#include "facts/facts.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A touch: what happens to a range of memory, up to but not including `high`. */
struct first_use {
	uintptr_t low, high;
	enum first_use_kind kind;
	uintptr_t instruction; /* address of the touching instruction plus one, like a return
			        * address; 0: unknown */
	uintptr_t stack_top;   /* the word there: in a function without a frame, such as libc's
			        * memcpy(), its return address; 0: unknown */
	bool only_reads;       /* the touch does not change the memory */
};

/* Offered by libstrace.so. Any thread, signal handlers too: no lock; errno is left alone. */
struct first_use_watches {
	_Atomic int *count; /* number of watches in force */
	/* Ends the watches that overlap the range: makes their memory accessible for good. */
	void (*end)(const struct first_use *use);
	/* Handles a fault. stack: the stack pointer, read only if the memory is watched. kind: read
	 * or written. True: the instruction must be retried. False: the fault is the program's
	 * own. */
	bool (*fault)(uintptr_t address, uintptr_t instruction, const uintptr_t *stack,
		      enum first_use_kind kind);
	/* The program gives the range a protection of its own: it is not watched from now on. */
	void (*keep)(uintptr_t low, uintptr_t high);
	/* Ends all watching: accesses can no longer be seen. reason: static text for the
	 * metadata. */
	void (*stop)(const char *reason);
};

/* Offered by libstrace_touch.so. */
struct first_use_touch {
	/* Puts our SIGSEGV handler before the program's, unless our handler is there. False:
	 * impossible, so nothing may be watched. Not in signal handlers. */
	bool (*guard)(void);
	/* Call in a forked child: restores the program's handler. */
	void (*unguard)(void);
	bool has_free; /* free() is interposed: memory that returns to the heap is seen */
};

/* Defined in libstrace.so, called by libstrace_touch.so's constructor. *touch must stay valid; the
 * result is static. */
const struct first_use_watches *streamtrace_first_use_join(const struct first_use_touch *touch);

#endif
