/*
 * Repeated sequences: where a list of symbols repeats a part of itself, one copy right behind the
 * other. Knows nothing of CUDA.
 *
 * Symbols are compared by hashes of 61 bits of sequences of them. O(n log n) time, linear memory.
 * One thread.
 */
#ifndef STREAMTRACE_REPEATS_H
#define STREAMTRACE_REPEATS_H

#include <stddef.h>
#include <stdint.h>

/* symbols[i] == symbols[i + period] for all i from first until end - period. */
struct repeat {
	size_t first, end, period;
};

/* Those with at least `least` copies (>= 2), of which the last may be cut; apart from each other,
 * where they overlap the longest; by first. Periods in which every four symbols in a row occur
 * twice are not found. *count of them; freed with free(), NULL where there is none. */
struct repeat *repeats_find(const uint64_t *symbols, size_t symbol_count, size_t least,
			    size_t *count);

#endif
