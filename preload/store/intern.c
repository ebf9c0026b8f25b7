#include "store/intern.h"

#include <stdlib.h>
#include <string.h>

struct intern_slot {
	uint64_t hash;
	void *key; /* NULL: empty */
	size_t size;
	int64_t id;
};

static uint64_t hash_of(const unsigned char *key, size_t size)
{
	uint64_t hash = 0xcbf29ce484222325u ^ size, word;

	/* FNV-1a's step, eight bytes at a time: kernel names of C++ have hundreds. */
	for (; size >= sizeof(word); key += sizeof(word), size -= sizeof(word)) {
		memcpy(&word, key, sizeof(word));
		hash = (hash ^ word) * 0x100000001b3u;
		hash ^= hash >> 29;
	}
	for (; size > 0; key++, size--)
		hash = (hash ^ *key) * 0x100000001b3u;
	return hash ^ (hash >> 32);
}

static struct intern_slot *slot_of(const struct intern *table, uint64_t hash, const void *key,
				   size_t size)
{
	size_t mask = table->capacity - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		struct intern_slot *slot = &table->slots[i];

		if (!slot->key ||
		    (slot->hash == hash && slot->size == size && !memcmp(slot->key, key, size)))
			return slot;
	}
}

static bool grow_intern(struct intern *table)
{
	struct intern bigger = {.capacity = table->capacity ? table->capacity * 2 : 64,
				.count = table->count};

	bigger.slots = calloc(bigger.capacity, sizeof(*bigger.slots));
	if (!bigger.slots)
		return false;
	for (size_t i = 0; i < table->capacity; i++) {
		struct intern_slot *old = &table->slots[i];

		if (old->key)
			*slot_of(&bigger, old->hash, old->key, old->size) = *old;
	}
	free(table->slots);
	*table = bigger;
	return true;
}

int64_t intern(struct intern *table, const void *key, size_t size, bool *is_new)
{
	uint64_t hash = hash_of(key, size);
	struct intern_slot *slot;

	*is_new = false;
	if (table->count * 2 >= table->capacity && !grow_intern(table))
		return 0;
	slot = slot_of(table, hash, key, size);
	if (slot->key)
		return slot->id;
	slot->key = malloc(size ? size : 1);
	if (!slot->key)
		return 0;
	memcpy(slot->key, key, size);
	slot->hash = hash;
	slot->size = size;
	slot->id = (int64_t)++table->count;
	*is_new = true;
	return slot->id;
}

void intern_free(struct intern *table)
{
	for (size_t i = 0; i < table->capacity; i++)
		free(table->slots[i].key);
	free(table->slots);
	*table = (struct intern){0};
}
