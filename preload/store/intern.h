/*
 * Maps byte strings (kernel names, module paths, threads) to small numbers.
 *
 * Writer thread only. Ids start at 1 and count up. The table owns copies of the keys.
 * Zero-initialize a table; intern_free() it.
 */
#ifndef STREAMTRACE_INTERN_H
#define STREAMTRACE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct intern_slot;

struct intern {
	struct intern_slot *slots;
	size_t capacity, count;
};

/* Returns the key's id; 0: out of memory. *is_new: whether the key was added by this call; false
 * with 0. */
int64_t intern(struct intern *table, const void *key, size_t size, bool *is_new);

/* Frees the table's memory, not the struct, and empties the table. */
void intern_free(struct intern *table);

#endif
