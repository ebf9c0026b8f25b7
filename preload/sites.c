#include "sites.h"

#include "writer.h"

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <string.h>
#include <unwind.h>

#define SITES_FRAMES	 64 /* of a whole stack */
#define SITES_KEY_FRAMES 24 /* of a key: a launch by PyTorch is 20 frames into its libraries */
/* A key ends with so many frames of the program's own code: with a static cudart and without
 * optimization the sixth is the first that somebody wrote. */
#define SITES_OWN_FRAMES 6
#define SITES_WALK	 96    /* frames that a walk looks at, with those left out */
#define SITES_STEPS	 32768 /* return addresses; a power of two */
#define SITES_PROBES	 64    /* places that a lookup looks at */
#define SITES_CHECK	 1024  /* calls of a thread between unwinding once more to be sure */

/* A slow call's whole stack is walked: 0.3 us. Where only the unwinder can, at some 0.5 us a frame,
 * it must have been slower. */
#define SITES_SLOW_NS	100000
#define SITES_UNWIND_NS 1000000

/* No distance is odd. */
#define STEP_UNKNOWN 0u
#define STEP_VARIES  1u
#define STEP_END     3u /* the outermost frame, or no way further */

/* How far above the word that holds a return address the next such word lies. */
struct step {
	_Atomic uint64_t address; /* 0: empty; once taken it stays */
	_Atomic uint32_t bytes;
	_Atomic uint32_t place;	    /* enum place, and the left_out_count that it was found with */
	_Atomic(struct atom *) key; /* of the last stack whose innermost address it was, or NULL */
};

/* Where a return address lies. */
enum place { PLACE_LIBRARY = 1, PLACE_PROGRAM, PLACE_LEFT_OUT, PLACE_BITS = 3 };

static struct step steps[SITES_STEPS];
static _Atomic bool is_full; /* no room for some address: what is not known stays so */

struct range {
	uint64_t low, high;
};

/* Address ranges that hold no call site. */
static struct range left_out[8];
static _Atomic int left_out_count;

static struct range program; /* the executable */

static struct range module_range(const struct dl_phdr_info *info)
{
	struct range range = {UINT64_MAX, 0};

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t low = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD)
			continue;
		if (low < range.low)
			range.low = low;
		if (low + segment->p_memsz > range.high)
			range.high = low + segment->p_memsz;
	}
	return range;
}

static int leave_out_module(struct dl_phdr_info *info, size_t size, void *data)
{
	const char *stem = data;
	const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
	const char *base = slash ? slash + 1 : info->dlpi_name;
	int count = atomic_load(&left_out_count);

	if (!base || strncmp(base, stem, strlen(stem)) ||
	    count == (int)(sizeof(left_out) / sizeof(left_out[0])))
		return 0;
	left_out[count] = module_range(info);
	atomic_store(&left_out_count, count + 1);
	return 0;
}

/* The program comes first. */
static int keep_program(struct dl_phdr_info *info, size_t size, void *data)
{
	program = module_range(info);
	return 1;
}

void sites_start(void)
{
	dl_iterate_phdr(keep_program, NULL);
}

void sites_leave_out(const char *stem)
{
	dl_iterate_phdr(leave_out_module, (void *)stem);
}

static enum place find_place(uint64_t address, int count)
{
	for (int i = 0; i < count; i++)
		if (address >= left_out[i].low && address < left_out[i].high)
			return PLACE_LEFT_OUT;
	return address >= program.low && address < program.high ? PLACE_PROGRAM : PLACE_LIBRARY;
}

/* step may be NULL. */
static enum place place_of(struct step *step, uint64_t address)
{
	int count = atomic_load_explicit(&left_out_count, memory_order_acquire);
	uint32_t known = step ? atomic_load_explicit(&step->place, memory_order_relaxed) : 0;
	enum place place = known & PLACE_BITS;

	if (place && (int)(known / (PLACE_BITS + 1)) == count)
		return place;
	place = find_place(address, count);
	if (step)
		atomic_store_explicit(&step->place, (uint32_t)count * (PLACE_BITS + 1) + place,
				      memory_order_relaxed);
	return place;
}

/* NULL: not there, or with may_add: no room. */
static inline struct step *step_of(uint64_t address, bool may_add)
{
	size_t start = (address * 0x9e3779b97f4a7c15u) >> 49;

	for (size_t i = 0; i < SITES_PROBES; i++) {
		struct step *step = &steps[(start + i) % SITES_STEPS];
		uint64_t found = atomic_load_explicit(&step->address, memory_order_acquire);

		if (found == address)
			return step;
		if (found != 0)
			continue;
		if (!may_add)
			return NULL;
		if (atomic_compare_exchange_strong(&step->address, &found, address) ||
		    found == address)
			return step;
	}
	if (may_add)
		atomic_store(&is_full, true);
	return NULL;
}

/* Remembers a distance; a second one that differs ends the walks here. */
static void step_learn(struct step *step, uint32_t bytes)
{
	uint32_t known = STEP_UNKNOWN;

	if (step && !atomic_compare_exchange_strong(&step->bytes, &known, bytes) && known != bytes)
		atomic_store(&step->bytes, STEP_VARIES);
}

/* Return addresses, innermost first. */
struct frames {
	uint64_t *addresses;
	struct step *innermost; /* NULL: unknown */
	int count, limit;
	int own_count, own_limit; /* of them in the program's own code */
};

static inline bool frames_are_enough(const struct frames *frames)
{
	return frames->count == frames->limit || frames->own_count == frames->own_limit;
}

static inline void frames_add(struct frames *frames, struct step *step, uint64_t address)
{
	enum place place = place_of(step, address);

	if (place == PLACE_LEFT_OUT)
		return;
	if (!frames->count)
		frames->innermost = step;
	frames->addresses[frames->count++] = address;
	frames->own_count += place == PLACE_PROGRAM;
}

static struct atom *intern_stack(const uint64_t *words, int count, enum atom_kind kind,
				 enum atom_add add)
{
	return atom_intern(&(struct atom_text){.words = words,
					       .count = (uint16_t)count,
					       .kind = kind,
					       .frame_count = (uint8_t)count},
			   add);
}

struct unwinding {
	const struct caller *caller;
	struct frames *frames; /* NULL: only learns */
	struct step *step;     /* of the frame before */
	uint64_t slot;	       /* the word that held its return address */
	int depth;	       /* frames from the caller on */
};

static bool unwinding_is_done(const struct unwinding *unwinding)
{
	return unwinding->depth == SITES_WALK ||
	       (unwinding->frames && frames_are_enough(unwinding->frames));
}

static _Unwind_Reason_Code unwind_frame(struct _Unwind_Context *context, void *data)
{
	struct unwinding *unwinding = data;
	uint64_t address = _Unwind_GetIP(context);
	/* The callee's canonical frame address: the word below it holds this frame's return
	 * address. */
	uint64_t slot = _Unwind_GetCFA(context) - sizeof(uint64_t);

	if (!unwinding->depth) {
		if (address != unwinding->caller->return_address ||
		    slot + sizeof(uint64_t) != unwinding->caller->cfa)
			return _URC_NO_REASON;
	} else {
		uint64_t bytes = slot - unwinding->slot;

		if (!address || slot <= unwinding->slot || bytes > UINT32_MAX || bytes % 8 ||
		    *(const uint64_t *)slot != address) {
			step_learn(unwinding->step, STEP_END);
			return _URC_END_OF_STACK;
		}
		step_learn(unwinding->step, (uint32_t)bytes);
	}
	unwinding->step = step_of(address, true);
	unwinding->slot = slot;
	unwinding->depth++;
	if (unwinding->frames)
		frames_add(unwinding->frames, unwinding->step, address);
	return unwinding_is_done(unwinding) ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static void unwind(const struct caller *caller, struct frames *frames)
{
	int saved_errno = errno;
	struct unwinding unwinding = {.caller = caller, .frames = frames};

	_Unwind_Backtrace(unwind_frame, &unwinding);
	/* The end of the stack, or no way through the frames above the caller. */
	if (!unwinding_is_done(&unwinding))
		step_learn(unwinding.depth ? unwinding.step : step_of(caller->return_address, true),
			   STEP_END);
	errno = saved_errno;
}

/* Adds frames as far as distances are known; why it ended: STEP_END where there are no more or
 * they are enough, STEP_VARIES, or STEP_UNKNOWN at an address that was never unwound to. */
static inline uint32_t walk(struct frames *result, const struct caller *caller)
{
	uint64_t slot = caller->cfa - sizeof(uint64_t), address = caller->return_address;
	uint64_t stack_high = recorder_thread.stack_high;
	struct frames frames = *result; /* in registers */
	uint32_t end = STEP_END;

	for (int depth = 0; depth < SITES_WALK - 1; depth++) {
		struct step *step = step_of(address, false);

		if (!step) {
			end = STEP_UNKNOWN;
			break;
		}
		frames_add(&frames, step, address);
		if (frames_are_enough(&frames))
			break;
		end = atomic_load_explicit(&step->bytes, memory_order_acquire);
		slot += end;
		/* The unwinder leaves a distance unknown where it had enough. */
		if (end == STEP_UNKNOWN || end == STEP_VARIES || end == STEP_END)
			break;
		end = STEP_END;
		if (slot + sizeof(uint64_t) > stack_high)
			break;
		address = *(const uint64_t *)slot;
	}
	*result = frames;
	return end;
}

/* Coroutines run on stacks that the thread does not know: only the return address is safe. */
static bool is_on_stack(const struct caller *caller)
{
	return caller->cfa >= recorder_thread.stack_low && caller->cfa < recorder_thread.stack_high;
}

static void take_key_frames(struct frames *frames, const struct caller *caller)
{
	if (is_on_stack(caller)) {
		if (recorder_thread.serial % SITES_CHECK == 0)
			unwind(caller, NULL);
		/* A table that is full must not send every call to the unwinder: fewer frames will
		 * do. */
		if (walk(frames, caller) == STEP_UNKNOWN && !atomic_load(&is_full)) {
			frames->count = frames->own_count = 0;
			unwind(caller, NULL);
			walk(frames, caller);
		}
	}
	if (!frames->count)
		frames_add(frames, NULL, caller->return_address);
}

/* Of the call whose key has come before: false when that would cost too much for a call so fast. */
static bool take_all_frames(struct frames *frames, const struct caller *caller, bool is_new,
			    int64_t duration_ns)
{
	if (!is_on_stack(caller)) {
		frames_add(frames, NULL, caller->return_address);
		return true;
	}
	if (walk(frames, caller) == STEP_END)
		return true;
	if (!is_new && duration_ns < SITES_UNWIND_NS)
		return false;
	frames->count = frames->own_count = 0;
	unwind(caller, frames);
	return true;
}

/* The whole stack of this very call; NULL as take_all_frames() or for want of room. Its own
 * function: of the program's stack, which may be small, a fast call is to take little. */
static __attribute__((noinline)) struct atom *take_stack(const struct caller *caller, bool is_new,
							 int64_t duration_ns)
{
	uint64_t words[SITES_FRAMES];
	struct frames frames = {.addresses = words, .limit = SITES_FRAMES, .own_limit = INT_MAX};

	if (!take_all_frames(&frames, caller, is_new, duration_ns))
		return NULL;
	return intern_stack(words, frames.count, ATOM_STACK, ATOM_ADD);
}

/* There is no room for more than the innermost frame. */
static struct atom *take_innermost(const struct frames *frames)
{
	return intern_stack(frames->addresses, 1, ATOM_STACK, ATOM_ADD_LAST);
}

static __attribute__((noinline)) struct atom *sites_take(const struct frames *frames,
							 struct atom *key,
							 const struct caller *caller,
							 int64_t duration_ns)
{
	struct atom *known = key ? atomic_load(&key->stack) : NULL, *stack = NULL;

	if (key && !atoms_are_full())
		stack = take_stack(caller, !known, duration_ns);
	if (!stack && !known)
		stack = take_innermost(frames);
	if (stack && !known && key)
		atomic_compare_exchange_strong(&key->stack, &known, stack);
	return stack ? stack : known;
}

static bool is_key(const struct atom *key, const uint64_t *words, int count)
{
	if (!key || key->count != count)
		return false;
	for (int i = 0; i < count; i++)
		if (key->words[i] != words[i])
			return false;
	return true;
}

/* The table's answer is remembered by the innermost frame: most places are reached in one way. */
static struct atom *find_key(const struct frames *frames)
{
	struct step *step = frames->innermost;
	struct atom *key = step ? atomic_load_explicit(&step->key, memory_order_acquire) : NULL;

	if (is_key(key, frames->addresses, frames->count))
		return key;
	key = intern_stack(frames->addresses, frames->count, ATOM_KEY, ATOM_ADD);
	if (step && key)
		atomic_store_explicit(&step->key, key, memory_order_release);
	return key;
}

struct atom *sites_capture(const struct caller *caller, int64_t duration_ns)
{
	uint64_t words[SITES_KEY_FRAMES];
	struct frames frames = {
		.addresses = words, .limit = SITES_KEY_FRAMES, .own_limit = SITES_OWN_FRAMES};
	struct atom *key, *stack;

	take_key_frames(&frames, caller);
	if (!frames.count)
		return NULL;
	key = find_key(&frames);
	stack = key ? atomic_load_explicit(&key->stack, memory_order_acquire) : NULL;
	if (!stack || duration_ns >= SITES_SLOW_NS)
		stack = sites_take(&frames, key, caller, duration_ns);
	if (!stack || stack->frame_count < frames.count)
		writer_count_loss(LOSS_STACK_TABLE_FULL, 1);
	return stack;
}
