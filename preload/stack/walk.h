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

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct caller;

#define WALK_LIMIT 96 /* frames that a walk passes, with those left out */

/* Each frame that a walk passed, innermost first, with those left out. */
struct trail {
	uint64_t addresses[WALK_LIMIT];
	/* From the word with the return address before to the one with this one, upwards; of the
	 * first: 0. */
	uint32_t distances[WALK_LIMIT];
	int count;
	/* A stack with these return addresses at these distances gives the same walk, in any thread
	 * whose stack goes so far up, as long as walk_generation stays. */
	bool is_exact;
};

/* Return addresses, innermost first: as many as limit, or until own_limit of them lie in the
 * program's executable. Start with count and own_count 0. */
struct frames {
	uint64_t *addresses;
	int count, limit;
	int own_count, own_limit;
	struct trail *trail; /* NULL: not wanted */
};

/* Counts up when a stack that was walked before may be walked in another way from now on. */
extern _Atomic uint32_t walk_generation;

/* Finds out where the program's own code lies. Takes the loader's lock. Before any walk. */
void walk_start(void);

/* Frames in loaded libraries whose file names begin with `stem` are left out from now on. Takes the
 * loader's lock; a few at most, the rest is ignored. */
void walk_leave_out(const char *stem);

/* Whether the address lies in one of those. Any thread. */
bool walk_is_left_out(uint64_t address);

/* The innermost frames: mostly without the unwinder, and then perhaps only those up to a frame of
 * varying size. must_unwind: makes sure that frames still have the sizes that are remembered. While
 * the caller's frame is live, as with walk_whole(). */
void walk_key(struct frames *frames, const struct caller *caller, bool must_unwind);

/* All that there are. False: only the unwinder can, some 0.5 us a frame, and it may not. */
bool walk_whole(struct frames *frames, const struct caller *caller, bool may_unwind);

#endif
