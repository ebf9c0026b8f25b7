/*
 * Binary search in what is sorted, by an expression.
 *
 * search(count, i, is_before): how many of the indexes i below `count`, from 0 on, the expression is_before holds
 * for. It must hold for none behind the first that it does not hold for. So the result is the index of the first
 * without, or `count`; the one before it is the last with. search_from(first, ...) begins at `first`, which it
 * returns where the expression does not hold there, or where `first` is not below `count`.
 *
 * Any thread; takes nothing. The expression is compiled into the loop.
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
