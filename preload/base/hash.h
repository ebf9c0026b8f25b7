/* A hash for addresses and handles, which differ from each other in few bits. */
#ifndef STREAMTRACE_HASH_H
#define STREAMTRACE_HASH_H

#include <stdint.h>

/* 2^64 / golden ratio (Fibonacci hashing). Use the upper bits of the product: they depend on all of
 * the word. */
#define HASH_FACTOR 0x9e3779b97f4a7c15u

static inline uint64_t hash_word(uint64_t word)
{
	return word * HASH_FACTOR;
}

#endif
