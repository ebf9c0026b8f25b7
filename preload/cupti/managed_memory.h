/* Records CUPTI's counters of managed memory: migrations and page faults. */
#ifndef STREAMTRACE_MANAGED_MEMORY_H
#define STREAMTRACE_MANAGED_MEMORY_H

#include "store/store.h"

/* Enables the records for schema.sql's managed_memory, unless they are on or were refused for good.
 * Call at the entry of calls that allocate managed memory, not earlier: CUPTI refuses without a
 * context, and programs without managed memory must not pay for the records. Any thread; the caller
 * must hold no lock of ours. */
void managed_memory_enable(void);

/* Disables the records, if they are on. Any thread. */
void managed_memory_disable(void);

/* Stores the metadata key managed_memory: "on", or why CUPTI refused; nothing before the first
 * managed_memory_enable(). Writer thread. */
void managed_memory_describe(struct store *store);

#endif
