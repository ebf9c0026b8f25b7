/*
 * Guards: memory of the host that a copy which is under way reads or writes. Its pages are read-only or inaccessible until the
 * copy is done; a touch waits for that. libstrace_touch.so sees touches (first_use/link.h): faults, system calls, free().
 *
 * A guard begins behind the copy's call, and covers whole pages: what else they have waits, too. Up to 256 at a time.
 * A guard whose copy is done stays until its memory is touched, or its place is needed: memory that the host leaves alone is
 * protected once. A thread
 * that touches guarded memory asks the driver in a signal handler, which must not interrupt the driver: so no call of CUDA may
 * touch such memory. Call guards_wait() before. Errors of the copy are for the program's next call.
 *
 * Any thread.
 */
#ifndef STREAMTRACE_TRIAL_GUARDS_H
#define STREAMTRACE_TRIAL_GUARDS_H

#include "first_use/pages.h"
#include "trial/trial.h"

/* Whether touches are noticed: else nothing may be guarded. */
bool guards_are_possible(void);

/* Memory of a copy, up to but not including high. */
struct guarded {
	uintptr_t low, high;
	enum pages_access access;
};

/* Guards the memory until the stream's work so far is done. False: it is not guarded; wait for the stream. */
bool guards_add(CUstream stream, const struct guarded *memory);

/* How memory is touched. */
enum touching {
	TOUCH_READS = 1,     /* guards that make it read-only need not end */
	TOUCH_BY_DEVICE = 2, /* in its bytes alone, whatever protection their pages have */
};
/* Waits until no guard is in the way. A signal handler too. touching: bits of enum touching. */
void guards_wait(uintptr_t low, uintptr_t high, int touching);

/* Whether there is a guard. Costs one load. */
bool guards_exist(void);
/* Ends those of the context's copies without waiting: it is gone. NULL: all. */
void guards_forget(CUcontext context);

/* Call before anything of the memory is guarded, or is a reason to watch. Releases of memory outside all that was given here cost two
 * loads each. */
void guards_reach(uintptr_t low, uintptr_t high);
/* Adds to the number of reasons to watch what the program does with its memory. */
void guards_count(int more);
/* What is done then, set in a constructor: the program gives the memory up, or changes its protection. No guard overlaps it any
 * more. Any thread. */
extern void (*guards_on_release)(uintptr_t low, uintptr_t high);

#endif
