/*
 * What kind of memory an address is of, as the driver says: asked once for a place, and again once there is
 * new memory, or pinned memory is gone.
 *
 * On the program's threads: no lock, no system call, no allocation, but for what the driver does when it is
 * asked, and for looking up its functions the first time; errno is left alone.
 */
#ifndef STREAMTRACE_PLACES_H
#define STREAMTRACE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the processor can read [address, address + bytes) like its own memory: pageable, or pinned and cached.
 * Of memory that a call has used. */
bool places_is_host(uint64_t address, uint64_t bytes);

/* And it is pinned. */
bool places_is_pinned(uint64_t address, uint64_t bytes);

/* There is new memory, or pinned memory is gone: a place that was the host's, or pinned, may be something else.
 * Any thread. */
void places_forget(void);

#endif
