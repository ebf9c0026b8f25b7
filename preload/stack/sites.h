/*
 * Call sites: the whole stack of each, for a few loads per call.
 *
 * The return address of a wrapped call costs nothing, but for a <<<>>> launch it is in a stub that
 * nvcc generated, and for a call that CUPTI reports it is in CUPTI itself: the program's line is
 * further up, and further still where a library made the call. Each call reads the innermost
 * frames, which are the key of the call site. The whole stack is read for the first call with a
 * key, and for each slow call. So the frames of a fast call beyond its key are those of the first
 * call with the same key.
 *
 * On the calling thread, in signal handlers too: no lock, and no memory but the atoms'
 * (base/atoms.h), which last as long as the process. Only the stack that thread_stack.h knows is
 * read. When the table of atoms is full, stacks have fewer frames, down to the return address
 * alone; that is counted.
 */
#ifndef STREAMTRACE_SITES_H
#define STREAMTRACE_SITES_H

#include "base/atoms.h"
#include "stack/caller.h"

/* The stack of a call that took so long, of kind ATOM_STACK. On the calling thread, while the
 * caller's frame is live. NULL: there is none, or no room for it (counted). */
struct atom *sites_capture(const struct caller *caller, int64_t duration_ns);

/* The address with the number of its module (modules.h); behind: 1 for a return address, which can lie behind
 * the last byte of its module. On a thread that runs the module. */
uint64_t sites_word(uint64_t address, unsigned behind);

/* A library was closed: base/loaded.h. */
void sites_forget_closed(void);

#endif
