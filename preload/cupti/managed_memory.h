/* Managed memory: migrations and faults, as CUPTI counts them. */
#ifndef STREAMTRACE_MANAGED_MEMORY_H
#define STREAMTRACE_MANAGED_MEMORY_H

#include "store/store.h"

/* Asks CUPTI for the records of schema.sql's managed_memory, until it agrees or refuses for good.
 * To be called at the entry of a call that allocates managed memory: without a context CUPTI
 * refuses, and a program without such memory must not pay for it. Any thread; no lock of ours may
 * be held. */
void managed_memory_enable(void);

void managed_memory_disable(void);

/* The metadata key managed_memory: "on", or why not. Writer thread. */
void managed_memory_describe(struct store *store);

#endif
