#include "sites.h"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <unwind.h>

#define SITES_WALK   48	   /* frames that a walk looks at */
#define SITES_STEPS  32768 /* return addresses; a power of two */
#define SITES_PROBES 64	   /* places that a lookup looks at */
#define SITES_CHECK  1024  /* calls of a thread between unwinding once more to be sure */

/* No distance is odd. */
#define STEP_UNKNOWN 0u
#define STEP_STOP    1u /* the outermost frame, or one that varies in size */

/* How far above the word that holds a return address the next such word lies. */
struct step {
	_Atomic uint64_t address; /* 0: empty; once taken it stays */
	_Atomic uint32_t bytes;
};

static struct step steps[SITES_STEPS];
static _Atomic bool is_full; /* no room for some address: what is not known stays so */

/* Address ranges that hold no call site. */
static struct {
	uint64_t low, high;
} left_out[8];
static _Atomic int left_out_count;

static int leave_out_module(struct dl_phdr_info *info, size_t size, void *data)
{
	const char *stem = data;
	const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
	const char *base = slash ? slash + 1 : info->dlpi_name;
	int count = atomic_load(&left_out_count);

	if (!base || strncmp(base, stem, strlen(stem)) ||
	    count == (int)(sizeof(left_out) / sizeof(left_out[0])))
		return 0;
	left_out[count].low = UINT64_MAX;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t low = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD)
			continue;
		if (low < left_out[count].low)
			left_out[count].low = low;
		if (low + segment->p_memsz > left_out[count].high)
			left_out[count].high = low + segment->p_memsz;
	}
	atomic_store(&left_out_count, count + 1);
	return 0;
}

void sites_leave_out(const char *stem)
{
	dl_iterate_phdr(leave_out_module, (void *)stem);
}

bool sites_is_left_out(uint64_t address)
{
	int count = atomic_load_explicit(&left_out_count, memory_order_acquire);

	for (int i = 0; i < count; i++)
		if (address >= left_out[i].low && address < left_out[i].high)
			return true;
	return false;
}

/* NULL: not there, or with may_add: no room. */
static struct step *step_of(uint64_t address, bool may_add)
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
		atomic_store(&step->bytes, STEP_STOP);
}

struct unwinding {
	const struct caller *caller;
	struct step *step; /* of the frame before */
	uint64_t slot;	   /* the word that held its return address */
	int depth;	   /* frames from the caller on */
};

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
			step_learn(unwinding->step, STEP_STOP);
			return _URC_END_OF_STACK;
		}
		step_learn(unwinding->step, (uint32_t)bytes);
	}
	unwinding->step = step_of(address, true);
	unwinding->slot = slot;
	return ++unwinding->depth == SITES_WALK ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static void unwind(const struct caller *caller)
{
	int saved_errno = errno;
	struct unwinding unwinding = {.caller = caller};

	_Unwind_Backtrace(unwind_frame, &unwinding);
	/* The end of the stack, or no way through the frames above the caller. */
	if (unwinding.depth < SITES_WALK)
		step_learn(unwinding.depth ? unwinding.step : step_of(caller->return_address, true),
			   STEP_STOP);
	errno = saved_errno;
}

/* Walks as far as is known. False when it came to an address that was never unwound to. */
static bool walk(struct record *record, const struct caller *caller, uint64_t stack_high)
{
	uint64_t slot = caller->cfa - sizeof(uint64_t), address = caller->return_address;

	record->frame_count = 0;
	for (int depth = 0; depth < SITES_WALK && record->frame_count < RECORD_FRAMES; depth++) {
		const struct step *step = step_of(address, false);
		uint32_t bytes = step ? atomic_load_explicit(&step->bytes, memory_order_acquire)
				      : STEP_UNKNOWN;

		if (!step)
			return false;
		if (!sites_is_left_out(address))
			record->frames[record->frame_count++] = address;
		if (bytes == STEP_STOP)
			return true;
		slot += bytes;
		if (slot + sizeof(uint64_t) > stack_high)
			return true;
		if (bytes == STEP_UNKNOWN)
			return depth + 1 == SITES_WALK;
		address = *(const uint64_t *)slot;
	}
	return true;
}

void sites_capture(struct record *record, const struct caller *caller)
{
	const struct recorder_thread *self = &recorder_thread;

	/* Coroutines run on stacks that the thread does not know: only the return address is safe.
	 */
	if (caller->cfa >= self->stack_low && caller->cfa < self->stack_high) {
		if (self->serial % SITES_CHECK == 0)
			unwind(caller);
		/* A table that is full must not send every call to the unwinder: fewer frames will
		 * do. */
		if (!walk(record, caller, self->stack_high) && !atomic_load(&is_full)) {
			unwind(caller);
			walk(record, caller, self->stack_high);
		}
		if (record->frame_count)
			return;
	}
	record->frames[0] = caller->return_address;
	record->frame_count = !sites_is_left_out(caller->return_address);
}
