/* How much memory is available. Any thread. */
#ifndef STREAMTRACE_FREE_MEMORY_H
#define STREAMTRACE_FREE_MEMORY_H

#include <stdint.h>

/* Bytes that this process can still allocate. The machine (free swap included), the control group
 * and the address space (ulimit -v) each leave an amount; the smallest is returned. UINT64_MAX: all
 * three are unknown or without a limit. */
uint64_t free_memory_bytes(void);

#endif
