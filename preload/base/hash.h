/* Spreads words over a table: addresses and handles differ in few bits. */
#ifndef STREAMTRACE_HASH_H
#define STREAMTRACE_HASH_H

#include <stdint.h>

/* Fibonacci hashing, 2^64 by the golden ratio: the upper bits are the spread ones. */
#define HASH_FACTOR 0x9e3779b97f4a7c15u

static inline uint64_t hash_word(uint64_t word)
{
	return word * HASH_FACTOR;
}

#endif
