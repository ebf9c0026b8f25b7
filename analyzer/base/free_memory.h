/* How much memory is available. Any thread. */
#ifndef STREAMTRACE_FREE_MEMORY_H
#define STREAMTRACE_FREE_MEMORY_H

#include <stdint.h>

/* Bytes that this process can still allocate: the least of what the machine (with pages it can
 * swap), the control group and the address space (ulimit -v) leave. UINT64_MAX: unknown. */
uint64_t free_memory_bytes(void);

#endif
