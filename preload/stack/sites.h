/*
 * Call sites: the whole stack of each call, for a few loads a call.
 *
 * The return address of a wrapped call is free, but often not enough: a <<<>>> launch comes from a
 * stub made by nvcc, a driver call from inside CUPTI, and many calls from a library. So each call
 * reads its innermost frames: the key of its call site. The whole stack is read for the first call
 * with a key, and for each slow call. The outer frames of a fast call are therefore those of the
 * first call with its key.
 *
 * Runs on the calling thread, in signal handlers too: no lock; memory comes from atoms
 * (base/atoms.h), which live as long as the process. Only the stack known to thread_stack.h is
 * read. When the table of atoms is full, stacks get shorter, down to the return address alone; each
 * such call is counted as a loss.
 */
#ifndef STREAMTRACE_SITES_H
#define STREAMTRACE_SITES_H

#include "base/atoms.h"
#include "base/hot.h"
#include "stack/caller.h"
#include "stack/places.h"
#include "stack/python_frames.h"

/* Call before the real call: fetches what sites_capture() will probably read after it into the caches. */
static inline void sites_foresee(void)
{
	place_foresee();
	if (atomic_load_explicit(&python_frames_on, memory_order_acquire))
		python_frames_foresee();
}

/* Returns the stack of a call that lasted duration_ns, as an ATOM_STACK. Call on the calling thread
 * while the caller's frame is live. NULL: no stack, or no room (counted). */
HOT struct atom *sites_capture(const struct caller *caller, int64_t duration_ns);

/* Returns the address with the number of its module above it, as a word of modules.h. behind: 1 for
 * a return address, which may lie one past its module's last byte; otherwise 0. Call on a thread
 * that runs the module, or inside dl_iterate_phdr(). */
uint64_t sites_word(uint64_t address, unsigned behind);

/* The callback for loaded_tell_unloads() (base/loaded.h). */
void sites_forget_closed(void);

#endif
