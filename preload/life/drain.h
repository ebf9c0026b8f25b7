/* The records of a ring, as rows, or as blocks where the writer is behind. Writer thread. */
#ifndef STREAMTRACE_DRAIN_H
#define STREAMTRACE_DRAIN_H

#include "recorder/ring.h"

struct store;

/* Stores what the ring has now, 65,536 records or more at a time, and what was lost in it; the empty
 * ring of a thread that has ended is free from then on. ring_count: of all rings. Once is_late() says
 * so, records are counted, not stored. False: there is more. */
bool drain_ring(struct store *store, struct ring *ring, uint32_t ring_count, bool (*is_late)(void))
	__attribute__((nonnull));

/* In a forked child: the parent's writer may have been packing. */
void drain_after_fork(void);

#endif
