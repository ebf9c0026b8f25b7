/*
 * Walking the calling thread's stack at the price of a lookup and a load a frame.
 *
 * How far up the stack the next return address is depends on the code address alone, as long as a
 * function's frame has one size. So a stack is unwound once, the distance from each return address
 * to the next is remembered by address, and from then on stacks are walked by those. An address
 * that was never unwound to sends the walk back to the unwinder; at a frame that turns out to vary
 * in size walks end, and the unwinder alone goes on.
 */
#ifndef STREAMTRACE_WALK_H
#define STREAMTRACE_WALK_H

#include <stdbool.h>
#include <stdint.h>

struct atom;
struct caller;

/* Return addresses, innermost first: as many as limit, or until own_limit of them lie in the
 * program's executable. Start with count and own_count 0. */
struct frames {
	uint64_t *addresses;
	int count, limit;
	int own_count, own_limit;
	/* For the caller to remember something by the innermost address; NULL: no room. */
	_Atomic(struct atom *) *memo;
};

/* Finds out where the program's own code lies. Takes the loader's lock. Before any walk. */
void walk_start(void);

/* Frames in loaded libraries whose file names begin with `stem` are left out from now on. Takes the
 * loader's lock; a few at most, the rest is ignored. */
void walk_leave_out(const char *stem);

/* Whether the address lies in one of those. Any thread. */
bool walk_is_left_out(uint64_t address);

/* The innermost frames, for every call: mostly without the unwinder, and then perhaps only those up
 * to a frame of varying size. While the caller's frame is live, as with walk_whole(). */
void walk_key(struct frames *frames, const struct caller *caller);

/* All that there are. False: only the unwinder can, some 0.5 us a frame, and it may not. */
bool walk_whole(struct frames *frames, const struct caller *caller, bool may_unwind);

#endif
