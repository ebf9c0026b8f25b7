/*
 * Call sites: the whole stack of each, at the price of a few loads a call.
 *
 * The return address of a wrapped call is known for nothing, but for a <<<>>> launch it lies in a
 * stub that nvcc generated, and for a call that CUPTI tells of in CUPTI itself: the program's line
 * is further up, and further still where a library made the call. How far up the stack the next
 * return address is depends on the code address alone, as long as a function's frame has one size.
 * So a stack is unwound once, the distance from each return address to the next is remembered by
 * address, and from then on walking a stack is one lookup and one load a frame. An address that was
 * never unwound to sends the walk back to the unwinder; at a frame that turns out to vary in size
 * later walks end, and the unwinder alone goes on.
 *
 * With each call the innermost frames are walked; what they say is the key of the call site. The
 * whole stack is taken when a key comes for the first time, and with each call that was slow. So
 * of a fast call the frames beyond the key's are those of the first call with the same key.
 */
#ifndef STREAMTRACE_SITES_H
#define STREAMTRACE_SITES_H

#include "atoms.h"
#include "recorder.h"

/* Finds out where the program's own code lies. Takes the loader's lock. Before any capture. */
void sites_start(void);

/* Frames in loaded libraries whose file names begin with `stem` are no call sites and are left out
 * from now on. Takes the loader's lock; a few at most, the rest is ignored. */
void sites_leave_out(const char *stem);

/* The stack of a call that took so long, of kind ATOM_STACK. On the calling thread, while the
 * caller's frame is live. NULL: there is none, or no room for it (counted). */
struct atom *sites_capture(const struct caller *caller, int64_t duration_ns);

#endif
