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

/* Of each frame that a walk passed the return address, and how far up it lies from the one before. */
enum { FRAME_ADDRESS, FRAME_DISTANCE, FRAME_WORDS };

#define TRAIL_LEAD 8 /* words in front of the frames that places.h fills in */

/* Each frame that a walk passed, innermost first, with those left out. */
struct trail {
	/* The first distance is 0; behind the frames one word is for places.h. */
	uint64_t words[TRAIL_LEAD + FRAME_WORDS * WALK_LIMIT + 1];
	int count; /* frames */
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

/* Finds out where the program's own code lies. By the constructor, before any walk. */
void walk_start(void);

/* A module is closed that lay there: where the frames of another one are may be different. */
void walk_forget(uint64_t low, uint64_t high);

/* Frames in loaded libraries whose file names begin with `stem` are left out from now on. Waits
 * for no constructor (base/loaded.h); a few at most, the rest is ignored. */
void walk_leave_out(const char *stem);

/* Whether the address lies in one of those. Any thread. */
bool walk_is_left_out(uint64_t address);

/* Asks the unwinder for the sizes of frames that walk_key() will pass and that are not known yet; must_unwind:
 * of all, to make sure that they still are as remembered. The unwinder takes 2 KB of stack, so that
 * this comes before the room for a trail. frames: as for walk_key(), without a trail; it is changed. While
 * the caller's frame is live, as all that follow. */
void walk_learn(struct frames *frames, const struct caller *caller, bool must_unwind);

/* The innermost frames, without the unwinder: perhaps only those up to a frame of varying size. */
void walk_key(struct frames *frames, const struct caller *caller);

/* All that there are. False: only the unwinder can, some 0.5 us a frame, and it may not. */
bool walk_whole(struct frames *frames, const struct caller *caller, bool may_unwind);

#endif
