/*
 * Byte strings to small numbers: kernel names, module paths, threads.
 *
 * Writer thread only. Ids start at 1 and count up. The table owns copies of the keys.
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

/* The key's id; *is_new tells the first time. 0 when memory has run out. */
int64_t intern(struct intern *table, const void *key, size_t size, bool *is_new);

void intern_free(struct intern *table);

#endif
