/* How much memory there is. Any thread. */
#ifndef STREAMTRACE_FREE_MEMORY_H
#define STREAMTRACE_FREE_MEMORY_H

#include <stdint.h>

/* Bytes that this process can take beside what it has: of the machine (with what can be swapped), of its
 * control group and of its address space (ulimit -v) whichever is least. UINT64_MAX where nothing is
 * known. */
uint64_t free_memory_bytes(void);

#endif
