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
 * Programs repeat their calls. So each key has a follower: what was found after it. The thread tries that first: place_foresee()
 * has fetched it while the call ran. Of those that were foreseen wrongly only one of WRONG_NOTED becomes a follower, because
 * threads share the keys; a prime, because those of one loop come in turn.
 */
#define WRONG_NOTED 13

__thread struct atom *place_last __attribute__((tls_model("initial-exec")));
static __thread uint32_t wrong_count __attribute__((tls_model("initial-exec")));

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

/* The key was found next after the thread's last one. */
static inline void note_follower(struct atom *key)
{
	struct atom *last = place_last, *noted;

	place_last = key;
	if (!last)
		return;
	noted = atomic_load_explicit(&last->follower, memory_order_relaxed);
	if (noted != key && (!noted || ++wrong_count % WRONG_NOTED == 0))
		atomic_store_explicit(&last->follower, key, memory_order_release);
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

/* The number of the first frame in which the call differs from a key that begins alike, and the call's address there; 0:
 * there is none. */
static inline int differing_frame(const struct atom *key, const struct caller *caller,
				  int python_count, uint64_t *address)
{
	const uint64_t *first = key->words + python_count, *frame = first;
	const uint64_t *end = frame + (size_t)FRAME_WORDS * key->frame_count;
	uint64_t slot = caller->cfa - sizeof(uint64_t);

	while ((frame += FRAME_WORDS) < end) {
		slot += frame[FRAME_DISTANCE];
		*address = *(const uint64_t *)slot;
		if (*address != frame[FRAME_ADDRESS])
			return (int)(frame - first) / FRAME_WORDS;
	}
	return 0;
}

/* The key in the slot if it is the call's, otherwise NULL. Advances the search to the next slot of
 * the chain; search->alike 0: there is none. */
static inline struct atom *search_step(struct search *search)
{
	uint64_t content = atomic_load_explicit(slot_of(search->hash), memory_order_acquire);
	uint64_t address;
	struct atom *key = (struct atom *)(content & ATOM_MASK);
	int frame;

	if (content >> ATOM_BITS != (uint16_t)search->generation || !content ||
	    !begins_alike(key, search)) {
		search->alike = 0;
		return NULL;
	}
	frame = differing_frame(key, search->caller, search->python_count, &address);
	if (!frame)
		return key;
	search_differs(search, key, address, frame);
	return NULL;
}

/* What is foreseen after the thread's last key, if it is the call's; otherwise NULL. */
static inline struct atom *foreseen_key(const struct search *search)
{
	struct atom *key =
		place_last ? atomic_load_explicit(&place_last->follower, memory_order_acquire)
			   : NULL;
	uint64_t address;

	return key &&
			       atomic_load_explicit(&key->exact_generation, memory_order_relaxed) ==
				       search->generation &&
			       begins_alike(key, search) &&
			       !differing_frame(key, search->caller, search->python_count, &address)
		       ? key
		       : NULL;
}

static inline struct atom *search_on(struct search *search, int probes)
{
	struct atom *key = NULL;

	for (int i = 0; i < probes && !key && search->alike; i++)
		key = search_step(search);
	return key;
}

static HOT __attribute__((noinline)) struct atom *find_unforeseen(struct search *search)
{
	struct atom *key;

	search_begin(search);
	key = search_on(search, PROBES);
	if (key)
		note_follower(key);
	return key;
}

static inline struct atom *find_place(const struct caller *caller, const uint64_t *python,
				      int python_count)
{
	struct search search = {
		.caller = caller,
		.python = python,
		.python_count = python_count,
		.generation = atomic_load_explicit(&walk_generation, memory_order_acquire),
	};
	struct atom *key;

	if (!thread_stack_contains(caller->cfa))
		return NULL;
	key = foreseen_key(&search);
	return key ? place_last = key : find_unforeseen(&search);
}

struct atom *place_find(const struct caller *caller, const uint64_t *python, int python_count)
{
	return find_place(caller, python, python_count);
}

struct atom *place_stack(const struct caller *caller)
{
	const struct atom *key = find_place(caller, NULL, 0);

	return key ? atomic_load_explicit(&key->stack, memory_order_acquire) : NULL;
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
	if (!key || !trail->is_exact)
		return key;
	atomic_store_explicit(&key->exact_generation, place->generation, memory_order_relaxed);
	remember_key(key, &(struct search){.caller = place->caller,
					   .python = place->python,
					   .python_count = place->python_count,
					   .generation = place->generation});
	return key;
}
