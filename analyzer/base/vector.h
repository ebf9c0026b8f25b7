/*
 * Arrays of any type that grow by one element at a time.
 *
 *	VECTOR(struct point) points = {0};
 *	*vector_add(&points) = (struct point){1, 2};
 *	for (size_t i = 0; i < points.count; i++) ... points.items[i] ...
 *	vector_free(&points);
 *
 * If memory runs out, the program ends, as everywhere in memory.h. A vector must be used by one
 * thread at a time. Each macro evaluates its arguments several times.
 */
#ifndef STREAMTRACE_VECTOR_H
#define STREAMTRACE_VECTOR_H

#include "base/memory.h"

#include <stdlib.h>

/* Zero-initialize it. To pass one to a function, name its type: typedef VECTOR(int) int_vector. */
#define VECTOR(type)                                                                               \
	struct {                                                                                   \
		type *items;                                                                       \
		size_t count, capacity;                                                            \
	}

/* Adds an uninitialized last element, and gives a pointer to it. Earlier elements may move, so
 * pointers to them are no longer valid. */
#define vector_add(vector)                                                                         \
	((vector)->items = memory_grow((vector)->items, (vector)->count, &(vector)->capacity,      \
				       sizeof(*(vector)->items)),                                  \
	 &(vector)->items[(vector)->count++])

/* Sorts the items by qsort() and compare(); the vector may be empty. */
#define vector_sort(vector, compare)                                                               \
	do {                                                                                       \
		if ((vector)->count)                                                               \
			qsort((vector)->items, (vector)->count, sizeof(*(vector)->items),          \
			      compare);                                                            \
	} while (0)

/* Gives the array to a new owner: stores it in to_items, and the number of items in to_count. The
 * vector is empty afterwards. The new owner must free() the array. */
#define vector_move(vector, to_items, to_count)                                                    \
	do {                                                                                       \
		(to_items) = (vector)->items;                                                      \
		(to_count) = (vector)->count;                                                      \
		(vector)->items = NULL;                                                            \
		(vector)->count = (vector)->capacity = 0;                                          \
	} while (0)

/* Frees the array; the vector is empty afterwards and can be used again. */
#define vector_free(vector)                                                                        \
	do {                                                                                       \
		free((vector)->items);                                                             \
		(vector)->items = NULL;                                                            \
		(vector)->count = (vector)->capacity = 0;                                          \
	} while (0)

#endif
