/* Managed memory: migrations and faults, as CUPTI counts them. */
#ifndef STREAMTRACE_MANAGED_MEMORY_H
#define STREAMTRACE_MANAGED_MEMORY_H

#include "store.h"

/* Asks CUPTI for the records of schema.sql's managed_memory. May be called again: it does something
 * as long as CUPTI says that the driver is not initialized yet. Any thread, one at a time; no lock
 * of ours may be held. */
void managed_memory_enable(void);

void managed_memory_disable(void);

/* The metadata key managed_memory: "on", or why not. Writer thread. */
void managed_memory_describe(struct store *store);

#endif
