/*
 * Arrays that grow by one element at a time, of any type: the compiler knows the elements' type.
 *
 *	VECTOR(struct point) points = {0};
 *	*vector_add(&points) = (struct point){1, 2};
 *	for (size_t i = 0; i < points.count; i++) ... points.items[i] ...
 *	vector_free(&points);
 *
 * Out of memory ends the program, as everywhere in memory.h. A vector is one thread's at a time.
 * Each macro evaluates its arguments several times.
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

/* Points to a new last element, whose bytes are anything. Earlier elements may move. */
#define vector_add(vector)                                                                         \
	((vector)->items = memory_grow((vector)->items, (vector)->count, &(vector)->capacity,      \
				       sizeof(*(vector)->items)),                                  \
	 &(vector)->items[(vector)->count++])

/* qsort() by compare; fine for an empty one. */
#define vector_sort(vector, compare)                                                               \
	do {                                                                                       \
		if ((vector)->count)                                                               \
			qsort((vector)->items, (vector)->count, sizeof(*(vector)->items),          \
			      compare);                                                            \
	} while (0)

/* Hands the array over to a pointer and a count of its owner: the vector is empty afterwards. */
#define vector_move(vector, to_items, to_count)                                                    \
	do {                                                                                       \
		(to_items) = (vector)->items;                                                      \
		(to_count) = (vector)->count;                                                      \
		(vector)->items = NULL;                                                            \
		(vector)->count = (vector)->capacity = 0;                                          \
	} while (0)

#define vector_free(vector)                                                                        \
	do {                                                                                       \
		free((vector)->items);                                                             \
		(vector)->items = NULL;                                                            \
		(vector)->count = (vector)->capacity = 0;                                          \
	} while (0)

#endif
