/* The records of a ring, as rows. Writer thread. */
#ifndef STREAMTRACE_DRAIN_H
#define STREAMTRACE_DRAIN_H

#include "recorder/ring.h"

struct store;

/* Stores what the ring has now, and what was lost in it; the empty ring of a thread that has ended
 * is free from then on. Once is_late() says so, records are counted, not stored. */
void drain_ring(struct store *store, struct ring *ring, bool (*is_late)(void))
	__attribute__((nonnull));

#endif
