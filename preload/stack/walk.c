#include "stack/walk.h"

#include "base/hash.h"
#include "base/hot.h"
#include "stack/caller.h"
#include "stack/thread_stack.h"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <unwind.h>

#define WALK_STEPS  32768 /* return addresses; a power of two */
#define WALK_PROBES 64	  /* slots that a search tries */

/* No distance is odd. */
#define STEP_UNKNOWN 0u
#define STEP_VARIES  1u
#define STEP_END     3u /* the outermost frame, or the unwinder cannot go on */

/* Distance from the word with a return address to the next such word, upwards. */
struct step {
	_Alignas(16) _Atomic uint64_t address; /* 0: empty; never changes once set */
	_Atomic uint32_t bytes;
	_Atomic uint32_t module_kind; /* with the left_out_count at which it was found */
};

/* Whose code a return address lies in. */
enum module_kind { MODULE_LIBRARY = 1, MODULE_PROGRAM, MODULE_LEFT_OUT, MODULE_KIND_BITS = 3 };

static struct step steps[WALK_STEPS];
static _Atomic bool is_full; /* no room for some address: stop asking the unwinder */

struct range {
	uint64_t low, high;
};

/* Libraries that are left out. */
static struct range left_out[8];
static _Atomic int left_out_count;

static struct range program; /* the executable */

READ_MOSTLY _Atomic uint32_t walk_generation;

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

static bool is_left_out_whole(struct range range)
{
	return range.low < range.high && walk_is_left_out(range.low) &&
	       walk_is_left_out(range.high - 1);
}

static int leave_out_module(struct dl_phdr_info *info, size_t size, void *data)
{
	const char *stem = data;
	const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
	const char *base = slash ? slash + 1 : info->dlpi_name;
	int count = atomic_load(&left_out_count);

	if (!base || strncmp(base, stem, strlen(stem)) ||
	    count == (int)(sizeof(left_out) / sizeof(left_out[0])) ||
	    is_left_out_whole(module_range(info)))
		return 0;
	left_out[count] = module_range(info);
	atomic_store(&left_out_count, count + 1);
	atomic_fetch_add(&walk_generation, 1);
	return 0;
}

/* The first entry is the program. */
static int keep_program(struct dl_phdr_info *info, size_t size, void *data)
{
	program = module_range(info);
	return 1;
}

void walk_start(void)
{
	dl_iterate_phdr(keep_program, NULL);
}

void walk_forget(uint64_t low, uint64_t high)
{
	for (size_t i = 0; i < WALK_STEPS; i++) {
		uint64_t address = atomic_load_explicit(&steps[i].address, memory_order_relaxed);

		if (address > low && address <= high)
			atomic_store(&steps[i].bytes, STEP_UNKNOWN);
	}
	atomic_fetch_add(&walk_generation, 1);
}

void walk_leave_out(const char *stem)
{
	dl_iterate_phdr(leave_out_module, (void *)stem);
}

bool walk_is_left_out(uint64_t address)
{
	int count = atomic_load_explicit(&left_out_count, memory_order_acquire);

	for (int i = 0; i < count; i++)
		if (address >= left_out[i].low && address < left_out[i].high)
			return true;
	return false;
}

static enum module_kind find_module_kind(uint64_t address, int count)
{
	if (count && walk_is_left_out(address))
		return MODULE_LEFT_OUT;
	return address >= program.low && address < program.high ? MODULE_PROGRAM : MODULE_LIBRARY;
}

/* step may be NULL. */
static inline enum module_kind module_kind_of(struct step *step, uint64_t address)
{
	int count = atomic_load_explicit(&left_out_count, memory_order_relaxed);
	uint32_t known = step ? atomic_load_explicit(&step->module_kind, memory_order_relaxed) : 0;
	enum module_kind kind = known & MODULE_KIND_BITS;

	if (kind && (int)(known / (MODULE_KIND_BITS + 1)) == count)
		return kind;
	kind = find_module_kind(address, count);
	if (step)
		atomic_store_explicit(&step->module_kind,
				      (uint32_t)count * (MODULE_KIND_BITS + 1) + kind,
				      memory_order_relaxed);
	return kind;
}

/* NULL: not in the table, or with may_add: no room. */
static inline struct step *step_of(uint64_t address, bool may_add)
{
	size_t start = hash_word(address) >> 49;

	for (size_t i = 0; i < WALK_PROBES; i++) {
		struct step *step = &steps[(start + i) % WALK_STEPS];
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

/* Remembers a distance. If it differs from a former one, walks end here from now on. */
static void step_learn(struct step *step, uint32_t bytes)
{
	uint32_t known = STEP_UNKNOWN;

	if (!step || atomic_compare_exchange_strong(&step->bytes, &known, bytes) ||
	    known == bytes || known == STEP_VARIES)
		return;
	atomic_store(&step->bytes, STEP_VARIES);
	atomic_fetch_add(&walk_generation, 1);
}

static inline bool frames_are_enough(const struct frames *frames)
{
	return frames->count == frames->limit || frames->own_count == frames->own_limit;
}

static inline void frames_add(struct frames *frames, struct step *step, uint64_t address)
{
	enum module_kind kind = module_kind_of(step, address);

	if (kind == MODULE_LEFT_OUT)
		return;
	frames->addresses[frames->count++] = address;
	frames->own_count += kind == MODULE_PROGRAM;
}

static void trail_add(struct trail *trail, uint64_t address, uint32_t distance)
{
	uint64_t *frame = trail->words + TRAIL_LEAD + FRAME_WORDS * trail->count++;

	frame[FRAME_ADDRESS] = address;
	frame[FRAME_DISTANCE] = distance;
}

struct unwinding {
	const struct caller *caller;
	struct frames *frames; /* NULL: only learn distances */
	struct step *step;     /* of the frame before */
	uint64_t slot;	       /* the word that held the return address */
	int depth;	       /* frames from the caller on */
};

static bool unwinding_is_done(const struct unwinding *unwinding)
{
	return unwinding->depth == WALK_LIMIT ||
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

static void unwind_frames(const struct caller *caller, struct frames *frames)
{
	int saved_errno = errno;
	struct unwinding unwinding = {.caller = caller, .frames = frames};

	_Unwind_Backtrace(unwind_frame, &unwinding);
	/* Reached the end of the stack, or found no way through the frames above the caller. */
	if (!unwinding_is_done(&unwinding))
		step_learn(unwinding.depth ? unwinding.step : step_of(caller->return_address, true),
			   STEP_END);
	errno = saved_errno;
}

/* Adds frames as long as their distances are known. Returns why it ended: STEP_END (no more frames,
 * or enough), STEP_VARIES, or STEP_UNKNOWN (an address never unwound). */
static inline __attribute__((always_inline)) uint32_t walk_frames(struct frames *result,
								  const struct caller *caller)
{
	uint64_t slot = caller->cfa - sizeof(uint64_t), address = caller->return_address;
	uint64_t stack_high = thread_stack.high;
	struct frames frames = *result; /* in registers */
	uint32_t end = STEP_END, distance = 0;
	bool is_cut = false; /* by the end of this thread's stack */

	for (int depth = 0; depth < WALK_LIMIT - 1; depth++) {
		struct step *step = step_of(address, false);

		if (!step) {
			end = STEP_UNKNOWN;
			break;
		}
		if (frames.trail)
			trail_add(frames.trail, address, distance);
		frames_add(&frames, step, address);
		if (frames_are_enough(&frames))
			break;
		end = distance = atomic_load_explicit(&step->bytes, memory_order_acquire);
		slot += end;
		/* The unwinder leaves the last distance unknown if it had enough frames. */
		if (end == STEP_UNKNOWN || end == STEP_VARIES || end == STEP_END)
			break;
		end = STEP_END;
		is_cut = slot + sizeof(uint64_t) > stack_high;
		if (is_cut)
			break;
		address = *(const uint64_t *)slot;
	}
	if (frames.trail)
		frames.trail->is_exact = !is_cut && end != STEP_UNKNOWN;
	*result = frames;
	return end;
}

/* False for coroutines, whose stacks the thread does not know: only the return address is safe. */
static bool is_on_stack(const struct caller *caller)
{
	return thread_stack_contains(caller->cfa);
}

void walk_learn(struct frames *frames, const struct caller *caller, bool must_unwind)
{
	/* A full table must not send every call to the unwinder; it makes do with fewer frames. */
	if (is_on_stack(caller) && (must_unwind || (walk_frames(frames, caller) == STEP_UNKNOWN &&
						    !atomic_load(&is_full))))
		unwind_frames(caller, NULL);
}

void walk_key(struct frames *frames, const struct caller *caller)
{
	if (is_on_stack(caller))
		walk_frames(frames, caller);
	if (frames->count)
		return;
	frames_add(frames, NULL, caller->return_address);
	if (!frames->trail->count)
		trail_add(frames->trail, caller->return_address, 0);
}

bool walk_whole(struct frames *frames, const struct caller *caller, bool may_unwind)
{
	if (!is_on_stack(caller)) {
		frames_add(frames, NULL, caller->return_address);
		return true;
	}
	if (walk_frames(frames, caller) == STEP_END)
		return true;
	if (!may_unwind)
		return false;
	frames->count = frames->own_count = 0;
	unwind_frames(caller, frames);
	return true;
}
