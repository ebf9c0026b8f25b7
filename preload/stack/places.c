#include "stack/places.h"

#include "base/hash.h"
#include "stack/thread_stack.h"

#include <string.h>

#define PLACES	    16384 /* a power of two */
#define PLACES_BITS 14
#define PROBES	    16 /* places that begin alike */

/* Addresses fit into 48 bits; above them the walk_generation that it was found in. */
#define ATOM_BITS 48
#define ATOM_MASK ((UINT64_C(1) << ATOM_BITS) - 1)

static _Atomic uint64_t places[PLACES];

/*
 * The words of a key: Python's, return addresses (frame_count of them), and as 32 bits each the
 * distances between these. The first one's, which is of no use, is replaced by their sum.
 */
#define DISTANCE_WORDS(count) (((count) + 1) / 2)

struct view {
	const uint64_t *addresses;
	const char *distances;
	int count;
};

static inline struct view view_of(const struct atom *key, int python_count)
{
	struct view view = {.addresses = key->words + python_count, .count = key->frame_count};

	view.distances = (const char *)(view.addresses + view.count);
	return view;
}

static inline uint32_t distance_of(struct view view, int i)
{
	uint32_t distance;

	memcpy(&distance, view.distances + (size_t)i * sizeof(distance), sizeof(distance));
	return distance;
}

static inline _Atomic uint64_t *slot_of(uint64_t hash)
{
	return &places[hash_word(hash) >> (64 - PLACES_BITS)];
}

static inline struct atom *atom_in(uint64_t content, uint32_t generation)
{
	return content >> ATOM_BITS == (uint16_t)generation
		       ? (struct atom *)(content & ATOM_MASK)
		       : NULL;
}

/* All but the frames. */
static inline bool begins_alike(const struct atom *key, const struct place *place)
{
	int python_count = place->python_count;
	struct view view = view_of(key, python_count);

	if (key->count != python_count + view.count + DISTANCE_WORDS(view.count))
		return false;
	for (int i = 0; i < python_count; i++)
		if (key->words[i] != place->python[i])
			return false;
	return view.addresses[0] == place->caller->return_address &&
	       place->caller->cfa + distance_of(view, 0) <= thread_stack.high;
}

/* The first frame from `from` on that is another's; view.count: there is none. *address: its return
 * address. */
static inline int first_difference(struct view view, uint64_t slot, int from, uint64_t *address)
{
	int i = 1;

	for (; i < view.count; i++) {
		slot += distance_of(view, i);
		*address = *(const uint64_t *)slot;
		if (*address != view.addresses[i])
			break;
	}
	return i < from ? 0 : i;
}

struct atom *place_find(struct place *place)
{
	uint64_t hash = place->caller->return_address, address = 0;
	int alike = 1;

	place->generation = atomic_load_explicit(&walk_generation, memory_order_acquire);
	place->slot = NULL;
	if (!thread_stack_contains(place->caller->cfa))
		return NULL;
	for (int i = 0; i < place->python_count; i++)
		hash = hash_word(hash ^ hash >> 32) + place->python[i];
	for (int i = 0; i < PROBES; i++) {
		struct atom *key;
		struct view view;
		int found;

		place->slot = slot_of(hash);
		key = atom_in(atomic_load_explicit(place->slot, memory_order_acquire),
			      place->generation);
		if (!key || !begins_alike(key, place))
			return NULL;
		view = view_of(key, place->python_count);
		found = first_difference(view, place->caller->cfa - sizeof(uint64_t), alike,
					 &address);
		if (found == view.count)
			return key;
		/* Another one, which only its hash has in common with this. */
		if (!found)
			return NULL;
		hash = (uint64_t)key ^ hash_word(address);
		alike = found + 1;
	}
	return NULL;
}

struct atom *place_add(const struct place *place, const struct trail *trail)
{
	uint64_t words[PLACE_PYTHON_WORDS + WALK_LIMIT + DISTANCE_WORDS(WALK_LIMIT)];
	uint32_t distances[WALK_LIMIT + 1] = {0};
	int count = place->python_count;
	uint64_t span = 0;
	struct atom *key;

	memcpy(words, place->python, (size_t)count * sizeof(*words));
	memcpy(words + count, trail->addresses, (size_t)trail->count * sizeof(*words));
	count += trail->count;
	for (int i = 1; i < trail->count; i++)
		span += distances[i] = trail->distances[i];
	distances[0] = (uint32_t)span;
	memcpy(words + count, distances,
	       (size_t)DISTANCE_WORDS(trail->count) * sizeof(*words));
	count += DISTANCE_WORDS(trail->count);
	key = atom_intern(&(struct atom_text){.words = words,
					      .count = (uint16_t)count,
					      .kind = ATOM_KEY,
					      .frame_count = (uint8_t)trail->count},
			  ATOM_ADD);
	if (key && place->slot && trail->is_exact && span <= UINT32_MAX)
		atomic_store_explicit(place->slot,
				      (uint64_t)key | (uint64_t)(uint16_t)place->generation
							      << ATOM_BITS,
				      memory_order_release);
	return key;
}
