/*
 * The native stack of another thread, from copies of its registers and of the top of its stack.
 *
 * Reads only the copies, and .eh_frame as eh_frame.h does, so nothing that the thread or the loader
 * does meanwhile can make it fault. The rules of an instruction are read once and kept. Runs on one
 * thread at a time, outside of the fork guard. Takes the lock of dl_iterate_phdr() for a module
 * that is not known yet.
 */
#ifndef STREAMTRACE_UNWIND_H
#define STREAMTRACE_UNWIND_H

#include "stack/unwind_rules.h"

#include <stddef.h>

/* Where a thread was. */
struct unwind_start {
	/* By DWARF's numbers; UNWIND_RIP is the pc. Of a thread inside a system call the kernel
	 * tells UNWIND_RSP and UNWIND_RIP alone. */
	uint64_t registers[UNWIND_REGISTERS];
	uint32_t known;	    /* bit i: registers[i] is known; UNWIND_RSP and UNWIND_RIP must be */
	const void *memory; /* what lies from registers[UNWIND_RSP] on; need not be aligned */
	size_t bytes;
};

/* Stores the frames' words for an ATOM_STACK, innermost first, and returns how many there are: at
 * most `limit`. The first is the pc plus one, the others are return addresses. Libraries that
 * walk.h leaves out are left out. Ends early where the copy of the stack ends, and at code without
 * .eh_frame. */
int unwind_words(const struct unwind_start *start, uint64_t *words, int limit);

/* Call in a forked child. */
void unwind_after_fork(void);

#endif
