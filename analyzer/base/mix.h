/* Hashes several values: start with any hash, and mix() in one value after the other. The hash
 * depends on the values' order. It is not secure against deliberate collisions. Any thread. */
#ifndef STREAMTRACE_MIX_H
#define STREAMTRACE_MIX_H

#include <stdint.h>

static inline uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

#endif
