#include "sites.h"

#include <errno.h>
#include <stdlib.h>
#include <unwind.h>

/* Frames beside the return address itself: the stub, its caller, and one or two of the program. */
#define SITES_ABOVE  3
#define SITES_PLACES 4096 /* return addresses; a power of two */
#define SITES_STACKS 32	  /* remembered stacks of one return address */

struct stack {
	struct stack *_Atomic next;
	int above;			/* frames remembered, at most SITES_ABOVE */
	uint32_t distance[SITES_ABOVE]; /* bytes from the caller's cfa to the return address */
	uint64_t address[SITES_ABOVE];
};

struct place {
	_Atomic uint64_t return_address; /* 0: empty */
	struct stack *_Atomic stacks;
	_Atomic int stack_count;
};

static struct place places[SITES_PLACES];

/* Open addressing, insert only: a place once taken stays. NULL when the table is full. */
static struct place *place_of(uint64_t return_address)
{
	size_t start = (return_address * 0x9e3779b97f4a7c15u) >> 52;

	for (size_t i = 0; i < 64; i++) {
		struct place *place = &places[(start + i) % SITES_PLACES];
		uint64_t found = atomic_load_explicit(&place->return_address, memory_order_acquire);

		if (found == return_address)
			return place;
		if (found == 0 && (atomic_compare_exchange_strong(&place->return_address, &found,
								  return_address) ||
				   found == return_address))
			return place;
	}
	return NULL;
}

static bool stack_matches(const struct stack *stack, uint64_t cfa, uint64_t stack_high)
{
	for (int i = 0; i < stack->above; i++) {
		uint64_t word = cfa + stack->distance[i];

		if (word + sizeof(uint64_t) > stack_high ||
		    *(const uint64_t *)word != stack->address[i])
			return false;
	}
	return stack->above > 0; /* one that could not be unwound says nothing of others */
}

struct unwinding {
	struct stack *stack;
	uint64_t return_address, cfa;
	bool is_above; /* the caller's frame has been passed */
};

static _Unwind_Reason_Code unwind_frame(struct _Unwind_Context *context, void *data)
{
	struct unwinding *unwinding = data;
	struct stack *stack = unwinding->stack;
	uint64_t address = _Unwind_GetIP(context);
	/* The callee's canonical frame address: the word below it holds this frame's return
	 * address. */
	uint64_t word = _Unwind_GetCFA(context) - sizeof(uint64_t);

	if (!unwinding->is_above) {
		unwinding->is_above = address == unwinding->return_address &&
				      word + sizeof(uint64_t) == unwinding->cfa;
		return _URC_NO_REASON;
	}
	if (address == 0 || word < unwinding->cfa || word - unwinding->cfa > UINT32_MAX ||
	    *(const uint64_t *)word != address)
		return _URC_END_OF_STACK;
	stack->distance[stack->above] = (uint32_t)(word - unwinding->cfa);
	stack->address[stack->above++] = address;
	return stack->above == SITES_ABOVE ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static struct stack *find_known(struct stack *first, const struct caller *caller)
{
	struct stack *stack = first;

	while (stack && !stack_matches(stack, caller->cfa, recorder_thread.stack_high))
		stack = atomic_load_explicit(&stack->next, memory_order_acquire);
	return stack;
}

static struct stack *stack_learn(struct place *place, const struct caller *caller)
{
	int saved_errno = errno;
	struct unwinding unwinding = {.return_address = caller->return_address, .cfa = caller->cfa};
	struct stack *stack = NULL, *twin;

	if (atomic_fetch_add(&place->stack_count, 1) < SITES_STACKS)
		stack = calloc(1, sizeof(*stack));
	if (stack) {
		struct stack *first = atomic_load(&place->stacks);

		unwinding.stack = stack;
		_Unwind_Backtrace(unwind_frame, &unwinding);
		/* Threads that come here together learn the same stack: one keeps it. */
		twin = find_known(first, caller);
		while (!twin) {
			atomic_store(&stack->next, first);
			if (atomic_compare_exchange_weak(&place->stacks, &first, stack))
				break;
			twin = find_known(first, caller);
		}
		if (twin) {
			free(stack);
			atomic_fetch_sub(&place->stack_count, 1);
			stack = twin;
		}
	}
	errno = saved_errno;
	return stack;
}

static struct stack *stack_find(struct place *place, const struct caller *caller)
{
	struct stack *stack =
		find_known(atomic_load_explicit(&place->stacks, memory_order_acquire), caller);

	if (stack ||
	    atomic_load_explicit(&place->stack_count, memory_order_relaxed) >= SITES_STACKS)
		return stack;
	return stack_learn(place, caller);
}

void sites_capture(struct record *record, const struct caller *caller)
{
	const struct recorder_thread *self = &recorder_thread;
	struct place *place;
	struct stack *stack = NULL;

	record->frames[0] = caller->return_address;
	record->frame_count = 1;
	/* Coroutines run on stacks that the thread does not know: only the return address is safe.
	 */
	if (caller->cfa < self->stack_low || caller->cfa >= self->stack_high)
		return;
	place = place_of(caller->return_address);
	if (place)
		stack = stack_find(place, caller);
	for (int i = 0; stack && i < stack->above; i++)
		record->frames[record->frame_count++] = stack->address[i];
}
