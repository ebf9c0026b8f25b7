/*
 * Finds parts of a list of symbols that repeat, one copy right after the other. Knows nothing of
 * CUDA.
 *
 * Compares sequences by 61-bit hashes. O(n log n) time, linear memory. One thread.
 */
#ifndef STREAMTRACE_REPEATS_H
#define STREAMTRACE_REPEATS_H

#include <stddef.h>
#include <stdint.h>

/* The symbols [first, end) repeat: symbols[i] == symbols[i + period] for first <= i < end -
 * period. */
struct repeat {
	size_t first, end, period;
};

/* Returns the repeats that have at least `least` (>= 2) copies, the last of which may be
 * incomplete. They are sorted by `first` and do not overlap: of two that would, the longer one
 * stays. The caller must free() the array. *count: how many; NULL: none. Misses periods in which
 * every four consecutive symbols occur twice. */
struct repeat *repeats_find(const uint64_t *symbols, size_t symbol_count, size_t least,
			    size_t *count);

#endif
