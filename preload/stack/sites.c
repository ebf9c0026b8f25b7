#include "stack/sites.h"

#include "base/losses.h"
#include "stack/python_frames.h"
#include "stack/walk.h"

#include <limits.h>

#define WHOLE_FRAMES 64 /* of a whole stack, native and Python each */
#define KEY_FRAMES   24 /* of a key: a launch by PyTorch is 20 frames into its libraries */
/* A key ends with so many frames of the program's own code: with a static cudart and without
 * optimization the sixth is the first that somebody wrote. */
#define KEY_OWN_FRAMES 6
/* From a layer of PyTorch up to the line that calls it there are five frames, from an optimizer's
 * step seven. Then the Python frames tell call sites apart, and few native ones will do. */
#define KEY_PYTHON_FRAMES 8

/* A slow call's whole stack is walked: 0.3 us. Where only the unwinder can, at some 0.5 us a frame,
 * it must have been slower. */
#define SLOW_NS	  100000
#define UNWIND_NS 1000000

/* What is seen of a stack with each call: Python's words, then return addresses. */
struct key {
	uint64_t words[KEY_PYTHON_FRAMES + KEY_FRAMES];
	int python_count;
	struct frames frames; /* its addresses are in words */
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

static void take_key(struct key *key, const struct caller *caller)
{
	key->python_count = atomic_load_explicit(&python_frames_on, memory_order_relaxed)
				    ? python_frames_key(key->words, KEY_PYTHON_FRAMES)
				    : 0;
	key->frames = (struct frames){.addresses = key->words + key->python_count,
				      .limit = key->python_count ? KEY_OWN_FRAMES : KEY_FRAMES,
				      .own_limit = KEY_OWN_FRAMES};
	walk_key(&key->frames, caller);
}

static bool is_key(const struct atom *atom, const uint64_t *words, int count)
{
	if (!atom || atom->count != count)
		return false;
	for (int i = 0; i < count; i++)
		if (atom->words[i] != words[i])
			return false;
	return true;
}

/* The table's answer is remembered by the innermost frame: most frames are reached in one way. */
static struct atom *find_key(const struct key *key)
{
	_Atomic(struct atom *) *memo = key->frames.memo;
	struct atom *atom = memo ? atomic_load_explicit(memo, memory_order_acquire) : NULL;
	int count = key->python_count + key->frames.count;

	if (is_key(atom, key->words, count))
		return atom;
	atom = intern_stack(key->words, count, key->frames.count, ATOM_KEY, ATOM_ADD);
	if (memo && atom)
		atomic_store_explicit(memo, atom, memory_order_release);
	return atom;
}

/* The whole stack of this very call; NULL where it may not cost so much, or for want of room. Its
 * own function: of the program's stack, which may be small, a fast call is to take little. */
static __attribute__((noinline)) struct atom *take_stack(const struct caller *caller,
							 bool may_unwind)
{
	uint64_t words[2 * WHOLE_FRAMES];
	struct frames frames = {.addresses = words, .limit = WHOLE_FRAMES, .own_limit = INT_MAX};
	int count;

	if (!walk_whole(&frames, caller, may_unwind))
		return NULL;
	count = frames.count + python_frames_take(words + frames.count, WHOLE_FRAMES);
	return intern_stack(words, count, frames.count, ATOM_STACK, ATOM_ADD);
}

/* There is no room for more than the innermost frame. */
static struct atom *take_innermost(const struct frames *frames)
{
	return frames->count ? intern_stack(frames->addresses, 1, 1, ATOM_STACK, ATOM_ADD_LAST)
			     : NULL;
}

/* The stack of a call whose site is not known yet, or that was slow. */
static __attribute__((noinline)) struct atom *find_stack(const struct key *key, struct atom *atom,
							 const struct caller *caller,
							 int64_t duration_ns)
{
	struct atom *known = atom ? atomic_load(&atom->stack) : NULL, *stack = NULL;

	if (atom && !atoms_are_full())
		stack = take_stack(caller, !known || duration_ns >= UNWIND_NS);
	if (!stack && !known)
		stack = take_innermost(&key->frames);
	if (stack && !known && atom)
		atomic_compare_exchange_strong(&atom->stack, &known, stack);
	return stack ? stack : known;
}

static bool is_short(const struct atom *stack, const struct key *key)
{
	return !stack || stack->frame_count < key->frames.count ||
	       stack->count - stack->frame_count < key->python_count;
}

struct atom *sites_capture(const struct caller *caller, int64_t duration_ns)
{
	struct atom *atom, *stack;
	struct key key;

	take_key(&key, caller);
	if (!key.frames.count && !key.python_count)
		return NULL;
	atom = find_key(&key);
	stack = atom ? atomic_load_explicit(&atom->stack, memory_order_acquire) : NULL;
	if (!stack || duration_ns >= SLOW_NS)
		stack = find_stack(&key, atom, caller, duration_ns);
	if (__builtin_expect(atoms_are_full(), 0) && is_short(stack, &key))
		losses_count(LOSS_STACK_TABLE_FULL, 1);
	return stack;
}
