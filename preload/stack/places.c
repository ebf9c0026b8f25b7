#include "stack/places.h"

#include "base/hash.h"
#include "stack/thread_stack.h"

#include <string.h>

#define PLACES	    16384 /* a power of two */
#define PLACES_BITS 14
#define PROBES	    16 /* places in a chain that a search tries */

/* A slot is an atom's address, which has 48 bits, and above it the low bits of its
 * walk_generation. */
#define ATOM_BITS 48
#define ATOM_MASK ((UINT64_C(1) << ATOM_BITS) - 1)

static _Atomic uint64_t places[PLACES];

/*
 * The words of a key: Python's, then FRAME_WORDS for each of frame_count frames, then
 * place.modules. The first frame has no frame before it: its distance field holds the sum of all
 * distances.
 */

/* A search for the place of a call. */
struct search {
	const struct caller *caller;
	const uint64_t *python;
	int python_count;
	uint32_t generation;
	uint64_t hash; /* selects the slot */
	int alike;     /* frames that the place in the slot must share with the call; 0: the chain
		        * ends */
};

static inline _Atomic uint64_t *slot_of(uint64_t hash)
{
	return &places[hash_word(hash) >> (64 - PLACES_BITS)];
}

static inline void search_begin(struct search *search)
{
	search->hash = search->caller->return_address;
	search->alike = 1;
	for (int i = 0; i < search->python_count; i++)
		search->hash = hash_word(search->hash ^ search->hash >> 32) + search->python[i];
}

/* Compares all but the frames beyond the first. */
static inline bool begins_alike(const struct atom *key, const struct search *search)
{
	const uint64_t *frame = key->words + search->python_count;

	if (key->count != search->python_count + FRAME_WORDS * key->frame_count + 1)
		return false;
	for (int i = 0; i < search->python_count; i++)
		if (key->words[i] != search->python[i])
			return false;
	return frame[FRAME_ADDRESS] == search->caller->return_address &&
	       search->caller->cfa + frame[FRAME_DISTANCE] <= thread_stack.high;
}

/* The call differs from the key in frame number `frame`, where it has the address. */
static inline void search_differs(struct search *search, const struct atom *key, uint64_t address,
				  int frame)
{
	/* A place that differs earlier shares only the hash. */
	search->alike = frame < search->alike ? 0 : frame + 1;
	search->hash = (uint64_t)key ^ hash_word(address);
}

/* The key in the slot if it is the call's, otherwise NULL. Advances the search to the next slot of
 * the chain; search->alike 0: there is none. */
static inline struct atom *search_step(struct search *search)
{
	uint64_t content = atomic_load_explicit(slot_of(search->hash), memory_order_acquire);
	uint64_t slot = search->caller->cfa - sizeof(uint64_t), address;
	struct atom *key = (struct atom *)(content & ATOM_MASK);
	const uint64_t *frame, *first, *end;

	if (content >> ATOM_BITS != (uint16_t)search->generation || !content ||
	    !begins_alike(key, search)) {
		search->alike = 0;
		return NULL;
	}
	first = frame = key->words + search->python_count;
	end = frame + (size_t)FRAME_WORDS * key->frame_count;
	while ((frame += FRAME_WORDS) < end) {
		slot += frame[FRAME_DISTANCE];
		address = *(const uint64_t *)slot;
		if (address != frame[FRAME_ADDRESS]) {
			search_differs(search, key, address, (int)(frame - first) / FRAME_WORDS);
			return NULL;
		}
	}
	return key;
}

static inline struct atom *search_on(struct search *search, int probes)
{
	struct atom *key = NULL;

	for (int i = 0; i < probes && !key && search->alike; i++)
		key = search_step(search);
	return key;
}

struct atom *place_find(const struct caller *caller, const uint64_t *python, int python_count)
{
	struct search search = {
		.caller = caller,
		.python = python,
		.python_count = python_count,
		.generation = atomic_load_explicit(&walk_generation, memory_order_acquire),
	};

	if (!thread_stack_contains(caller->cfa))
		return NULL;
	search_begin(&search);
	return search_on(&search, PROBES);
}

static struct atom *stack_of(const struct atom *key)
{
	return atomic_load_explicit(&key->stack, memory_order_acquire);
}

/* place_stack() where the first place in the chain, key, is not the call's: the call has another
 * address in frame number `frame`. */
static __attribute__((noinline)) struct atom *
follow_chain(const struct caller *caller, const struct atom *key, uint64_t address, int frame)
{
	struct search search = {
		.caller = caller,
		.generation = atomic_load_explicit(&walk_generation, memory_order_acquire),
	};

	search_differs(&search, key, address, frame);
	key = search_on(&search, PROBES - 1);
	return key ? stack_of(key) : NULL;
}

struct atom *place_stack(const struct caller *caller)
{
	const uint64_t content =
		atomic_load_explicit(slot_of(caller->return_address), memory_order_acquire);
	const struct atom *key = (const struct atom *)(content & ATOM_MASK);
	uint64_t slot = caller->cfa - sizeof(uint64_t);
	const uint64_t *frame, *end;

	if (content >> ATOM_BITS !=
		    (uint16_t)atomic_load_explicit(&walk_generation, memory_order_acquire) ||
	    !key || key->count != FRAME_WORDS * key->frame_count + 1)
		return NULL;
	frame = key->words;
	end = frame + (size_t)FRAME_WORDS * key->frame_count;
	if (frame[FRAME_ADDRESS] != caller->return_address || !thread_stack_contains(caller->cfa) ||
	    caller->cfa + frame[FRAME_DISTANCE] > thread_stack.high)
		return NULL;
	while ((frame += FRAME_WORDS) < end) {
		slot += frame[FRAME_DISTANCE];
		if (*(const uint64_t *)slot != frame[FRAME_ADDRESS])
			return follow_chain(caller, key, *(const uint64_t *)slot,
					    (int)(frame - key->words) / FRAME_WORDS);
	}
	return stack_of(key);
}

/* Empties the table when the generation's upper bits, which slots lack, have changed. */
static void forget_old(uint32_t generation)
{
	static _Atomic uint32_t epoch;
	const uint32_t now = generation >> (64 - ATOM_BITS);

	if (atomic_load_explicit(&epoch, memory_order_relaxed) == now)
		return;
	atomic_store_explicit(&epoch, now, memory_order_relaxed);
	for (size_t i = 0; i < PLACES; i++)
		atomic_store_explicit(&places[i], 0, memory_order_relaxed);
}

/* Stores the key in the slot where its search ends. */
static void remember_key(struct atom *key, struct search *search)
{
	_Atomic uint64_t *slot = NULL;

	forget_old(search->generation);
	search_begin(search);
	for (int i = 0; i < PROBES && search->alike; i++) {
		slot = slot_of(search->hash);
		if (search_step(search))
			return;
	}
	atomic_store_explicit(slot,
			      (uint64_t)key | (uint64_t)(uint16_t)search->generation << ATOM_BITS,
			      memory_order_release);
}

struct atom *place_add(const struct place *place, struct trail *trail)
{
	uint64_t *frame = trail->words + TRAIL_LEAD, *words = frame - place->python_count;
	struct atom *key;

	memcpy(words, place->python, (size_t)place->python_count * sizeof(*words));
	for (int i = 1; i < trail->count; i++)
		frame[FRAME_DISTANCE] += frame[FRAME_WORDS * i + FRAME_DISTANCE];
	frame[FRAME_WORDS * trail->count] = place->modules;
	key = atom_intern(&(struct atom_text){.words = words,
					      .count = (uint16_t)(place->python_count +
								  FRAME_WORDS * trail->count + 1),
					      .kind = ATOM_KEY,
					      .frame_count = (uint8_t)trail->count},
			  ATOM_ADD);
	if (key && trail->is_exact)
		remember_key(key, &(struct search){.caller = place->caller,
						   .python = place->python,
						   .python_count = place->python_count,
						   .generation = place->generation});
	return key;
}
