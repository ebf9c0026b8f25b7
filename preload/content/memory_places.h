/*
 * What kind of memory an address is in, according to the driver. The driver is asked once for each
 * address, and again after memory was allocated or pinned memory freed.
 *
 * Runs on the program's threads: no lock, no system call, no allocation, except inside the driver,
 * and to look up its functions the first time. errno is left alone.
 */
#ifndef STREAMTRACE_MEMORY_PLACES_H
#define STREAMTRACE_MEMORY_PLACES_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the processor reads [address, address + bytes) at full speed: the memory is pageable, or
 * pinned and not write-combined. A CUDA call must have used the memory before. False also if the
 * driver fails, or if the calling thread has no ring (recorder/ring.h) yet. */
bool places_is_host(uint64_t address, uint64_t bytes);

/* Whether places_is_host(), and the memory is pinned. */
bool places_is_pinned(uint64_t address, uint64_t bytes);

/* Call after memory was allocated or pinned memory freed: asks the driver again. Any thread. */
void places_forget(void);

#endif
