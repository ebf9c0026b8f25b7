/*
 * Fix PREFETCH: before a launch at a site, the memory of cudaMallocManaged() that its kernel's arguments point into is
 * prefetched to the current device, in the launch's stream. The kernel then does not fault for it.
 *
 * Results cannot change: a prefetch moves pages, and no byte of them. An argument is any word of a parameter that is aligned
 * as a pointer. Memory that the kernel reaches only by pointers in memory, and __managed__ variables, stay as they are.
 *
 * A prefetch of memory that is on the device takes some microseconds. It is left out while the host cannot have used the memory:
 * since the last prefetch to this device no call has told the host that work is done (a wait, a query, a copy or a free
 * that waits), and no host function or graph was enqueued. The device allows the host to touch managed memory at any
 * time. But memory that a kernel may be using cannot be exchanged without one of these calls. A host that is told by a
 * flag in memory instead, or only reads what the kernel reads, brings pages back that are not prefetched: the kernel faults,
 * as it does without the fix.
 *
 * Prefetched are allocations that take together half of the memory at most which was free on the device before the first of
 * them: more could drive each other, or the program's own memory, out. Nothing is done in a stream that is captured. Any thread.
 */
#ifndef STREAMTRACE_TRIAL_PREFETCH_H
#define STREAMTRACE_TRIAL_PREFETCH_H

#include "trial/planned.h"

/* Prefetches for the launch, or notes at the site why not. The current context must be the launch's. */
void prefetch_before(const struct trial_call *call, struct trial_site *site);

/* Notes the memory of a call of cudaMallocManaged() that has succeeded. */
void prefetch_note_memory(const struct trial_call *call);

/* Forgets the memory that begins at the address, which is about to be freed. Any address. */
void prefetch_forget(const void *address);

/* Call for each call that has returned: after it the host may use what was prefetched. */
void prefetch_note_return(const struct trial_call *call);

/* Forgets all memory: its context was destroyed. */
void prefetch_forget_all(void);

#endif
