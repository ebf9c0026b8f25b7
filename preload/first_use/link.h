/*
 * The interface between libstrace.so and libstrace_touch.so, two libraries of one process.
 *
 * libstrace.so keeps the table of watched memory (first_use.h). libstrace_touch.so interposes
 * libc: it sees faults, signal handlers and system calls. Only `streamtrace run --first-use` loads
 * it, so that it cannot disturb any other run.
 */
#ifndef STREAMTRACE_FIRST_USE_LINK_H
#define STREAMTRACE_FIRST_USE_LINK_H

#include "facts/facts.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A range of memory and what happens to it. */
struct first_use {
	uintptr_t low, high;
	enum first_use_kind kind;
	uintptr_t instruction; /* that does it, plus one: as a return address; 0: not known */
};

/* libstrace.so's side. All of it is for any thread and for signal handlers, takes no lock and
 * leaves errno alone. */
struct first_use_watches {
	_Atomic int *count; /* watches that are in force */
	/* Makes the memory accessible again, for good. */
	void (*end)(const struct first_use *use);
	/* A fault: true when the instruction is to be tried again. kind: read or written. */
	bool (*fault)(uintptr_t address, uintptr_t instruction, enum first_use_kind kind);
	/* No watch from now on: the program's accesses can no longer be seen. */
	void (*stop)(const char *reason);
};

/* libstrace_touch.so's side. */
struct first_use_touch {
	/* Puts our handler of SIGSEGV before the program's, if it is not there; false: it cannot
	 * be. Not in a signal handler. */
	bool (*guard)(void);
	/* In a forked child: the program's own handler again. */
	void (*unguard)(void);
	bool has_free; /* free() is ours: it sees memory that returns to the heap */
};

/* Of libstrace.so, by libstrace_touch.so's constructor. `touch` must stay. */
const struct first_use_watches *streamtrace_first_use_join(const struct first_use_touch *touch);

#endif
