#include "stack/sites.h"

#include "base/hash.h"
#include "base/losses.h"
#include "stack/modules.h"
#include "stack/places.h"
#include "stack/python_frames.h"
#include "stack/walk.h"

#include <limits.h>

#define WHOLE_FRAMES 64 /* of a whole stack: native ones, and as many Python ones */
#define KEY_FRAMES   24 /* in a key: a launch by PyTorch is 20 frames deep in its libraries */
/* A key ends after this many frames of the program's own code: with a static cudart and no
 * optimization, the sixth is the first that a person wrote. */
#define KEY_OWN_FRAMES 6

/* The whole stack is walked for calls of SLOW_NS or more, which takes 0.3 us. Where only the
 * unwinder can walk it, at 0.5 us a frame, UNWIND_NS or more. */
#define SLOW_NS	  100000
#define UNWIND_NS 1000000

/* Calls of a thread between two full unwindings, which verify the remembered sizes of frames. */
#define UNWIND_CHECK 1024

static __thread uint32_t call_count __attribute__((tls_model("initial-exec")));

/* The innermost frames, read at each call. */
struct key {
	struct atom *atom;  /* NULL: no room */
	uint64_t innermost; /* its innermost frame, as sites_word() */
	int count;	    /* native frames */
};

static struct atom *intern_stack(const uint64_t *words, int count, int frame_count,
				 enum atom_kind kind, enum atom_add add)
{
	return atom_intern(&(struct atom_text){.words = words,
					       .count = (uint16_t)count,
					       .kind = kind,
					       .frame_count = (uint8_t)frame_count},
			   add);
}

uint64_t sites_word(uint64_t address, unsigned behind)
{
	const struct link_map *added = NULL;
	const uint64_t number = modules_number(address - behind, &added);

	if (added)
		python_frames_look_in(added);
	return number << MODULE_ADDRESS_BITS | address;
}

void sites_forget_closed(void)
{
	modules_find_closed(walk_forget);
}

static struct frames frames_of_key(const struct place *place, uint64_t *addresses)
{
	return (struct frames){.addresses = addresses,
			       .limit = place->python_count ? KEY_OWN_FRAMES : KEY_FRAMES,
			       .own_limit = KEY_OWN_FRAMES};
}

/* The whole stack of this call; NULL: too expensive, or no room. A function of its own, so that
 * fast calls need little of the program's stack. */
static __attribute__((noinline)) struct atom *take_stack(const struct caller *caller,
							 bool may_unwind)
{
	uint64_t words[2 * WHOLE_FRAMES];
	struct frames frames = {.addresses = words, .limit = WHOLE_FRAMES, .own_limit = INT_MAX};
	int count;

	if (!walk_whole(&frames, caller, may_unwind))
		return NULL;
	for (int i = 0; i < frames.count; i++)
		words[i] = sites_word(words[i], 1);
	count = frames.count + python_frames_take(words + frames.count, WHOLE_FRAMES);
	return intern_stack(words, count, frames.count, ATOM_STACK, ATOM_ADD);
}

/* A function of its own like take_stack(): its stack is free again before the next one. */
static __attribute__((noinline)) void learn_place(const struct place *place, bool must_unwind)
{
	uint64_t addresses[KEY_FRAMES];
	struct frames frames = frames_of_key(place, addresses);

	walk_learn(&frames, place->caller, must_unwind);
}

/* A hash of the modules of a key's frames. */
static uint64_t modules_of(const struct trail *trail)
{
	const uint64_t *frame = trail->words + TRAIL_LEAD;
	uint64_t modules = 0;

	for (int i = 0; i < trail->count; i++)
		modules = hash_word(
			modules << 1 ^
			MODULE_NUMBER(sites_word(frame[FRAME_WORDS * i + FRAME_ADDRESS], 1)));
	return modules;
}

static __attribute__((noinline)) struct key take_key(struct place *place)
{
	uint64_t addresses[KEY_FRAMES];
	struct frames frames = frames_of_key(place, addresses);
	struct key key = {0};
	struct trail trail;

	place->generation = atomic_load_explicit(&walk_generation, memory_order_acquire);
	trail.count = 0;
	trail.is_exact = false;
	frames.trail = &trail;
	walk_key(&frames, place->caller);
	if (!frames.count && !place->python_count)
		return key;
	place->modules = modules_of(&trail);
	key.atom = place_add(place, &trail);
	key.innermost = sites_word(addresses[0], 1);
	key.count = frames.count;
	return key;
}

/* Used when there is only room for the innermost frame. */
static struct atom *take_innermost(const struct key *key)
{
	return key->count ? intern_stack(&key->innermost, 1, 1, ATOM_STACK, ATOM_ADD_LAST) : NULL;
}

/* Finds the stack of a call that was slow or whose site is new. */
static struct atom *find_stack(const struct place *place, const struct key *key,
			       int64_t duration_ns)
{
	struct atom *atom = key->atom;
	struct atom *known = atom ? atomic_load(&atom->stack) : NULL, *stack = NULL;

	if (atom && !atoms_are_full())
		stack = take_stack(place->caller, !known || duration_ns >= UNWIND_NS);
	if (!stack && !known)
		stack = take_innermost(key);
	if (stack && !known && atom)
		atomic_compare_exchange_strong(&atom->stack, &known, stack);
	return stack ? stack : known;
}

static bool is_short(const struct atom *stack, const struct place *place, const struct key *key)
{
	return !stack || stack->frame_count < key->count ||
	       stack->count - stack->frame_count < place->python_count;
}

/* The stack of a call whose place is unknown, or that must be walked again. */
static COLD struct atom *capture_stack(struct place *place, int64_t duration_ns, bool must_unwind)
{
	struct atom *stack;
	struct key key;

	learn_place(place, must_unwind);
	key = take_key(place);
	if (!key.count && !place->python_count)
		return NULL;
	stack = key.atom ? atomic_load_explicit(&key.atom->stack, memory_order_acquire) : NULL;
	if (!stack || duration_ns >= SLOW_NS)
		stack = find_stack(place, &key, duration_ns);
	if (atoms_are_full() && is_short(stack, place, &key))
		losses_count(LOSS_STACK_TABLE_FULL, 1);
	return stack;
}

/* With Python's frames, or where place_stack() does not know the stack or must not be asked. */
static HOT __attribute__((noinline)) struct atom *
capture_by_place(const struct caller *caller, int64_t duration_ns, bool must_unwind)
{
	const bool has_python = atomic_load_explicit(&python_frames_on, memory_order_relaxed);
	uint64_t python[PLACE_PYTHON_WORDS];
	int count = 0;
	struct atom *key, *stack;

	if (has_python)
		count = python_frames_key(python, PLACE_PYTHON_WORDS);
	key = place_find(caller, python, count);
	stack = key ? atomic_load_explicit(&key->stack, memory_order_acquire) : NULL;
	if (__builtin_expect(!stack || must_unwind || duration_ns >= SLOW_NS || atoms_are_full(),
			     0)) {
		stack = capture_stack(
			&(struct place){.caller = caller, .python = python, .python_count = count},
			duration_ns, must_unwind);
		/* Python was found on this very stack: start again, with its frames. */
		if (!has_python && atomic_load(&python_frames_on))
			return sites_capture(caller, duration_ns);
	}
	return stack;
}

struct atom *sites_capture(const struct caller *caller, int64_t duration_ns)
{
	const bool must_unwind = ++call_count % UNWIND_CHECK == 0;
	struct atom *stack = NULL;

	if (!must_unwind && duration_ns < SLOW_NS && !atoms_are_full() &&
	    !atomic_load_explicit(&python_frames_on, memory_order_relaxed))
		stack = place_stack(caller);
	return __builtin_expect(stack != NULL, 1)
		       ? stack
		       : capture_by_place(caller, duration_ns, must_unwind);
}
