/*
 * Binary search in a sorted sequence, with the condition given as an expression:
 *
 *	size_t first = search(count, i, begins[i] < time); // the first i with begins[i] >= time
 *
 * search(count, i, is_before) returns the first index i below `count` for which the expression
 * is_before is false, or `count` if there is none. So the result is also the number of indexes for
 * which is_before is true. The caller must make sure of the order: once is_before is false, it
 * stays false. search_from(first, ...) starts at the index `first`, and returns it if
 * first >= count.
 *
 * The macro declares i, a const size_t. is_before is evaluated about log2(count) times. Any thread;
 * allocates nothing.
 */
#ifndef STREAMTRACE_SEARCH_H
#define STREAMTRACE_SEARCH_H

#include <stddef.h>

#define search_from(first, count, i, is_before)                                                    \
	({                                                                                         \
		size_t search_low = (first), search_high = (count);                                \
                                                                                                   \
		while (search_low < search_high) {                                                 \
			const size_t i = search_low + (search_high - search_low) / 2;              \
                                                                                                   \
			if (is_before)                                                             \
				search_low = i + 1;                                                \
			else                                                                       \
				search_high = i;                                                   \
		}                                                                                  \
		search_low;                                                                        \
	})

#define search(count, i, is_before) search_from(0, count, i, is_before)

#endif
