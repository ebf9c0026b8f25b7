/*
 * Walks the calling thread's stack for one lookup and one load a frame.
 *
 * As long as a function's frame has one size, the distance to the next return address depends on
 * the code address alone. So a stack is unwound once, and the distance from each return address to
 * the next is remembered. Later walks use these distances. At an unknown return address the
 * unwinder is used again; at a frame whose size turns out to vary, only the unwinder can go on.
 *
 * For a call site: walk_learn() first, in a frame of its own; then walk_key(), which gives the key;
 * walk_whole() only if the whole stack is wanted (sites.h).
 *
 * walk_start() and walk_leave_out() take the lock of dl_iterate_phdr(), and run on one thread at a
 * time. The other functions take no lock: any thread, signal handlers too.
 */
#ifndef STREAMTRACE_WALK_H
#define STREAMTRACE_WALK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct caller; /* caller.h; its cfa may be 0: then only the return address is read */

#define WALK_LIMIT 96 /* frames in one walk, including those left out */

/* The two words of a frame in a trail: its return address, and the distance in bytes from the
 * return address of the frame before. */
enum { FRAME_ADDRESS, FRAME_DISTANCE, FRAME_WORDS };

#define TRAIL_LEAD 8 /* words before the frames, for places.h */

/* The frames of a walk, innermost first, including those left out. */
struct trail {
	/* The first frame's distance is 0. The last word is for places.h. */
	uint64_t words[TRAIL_LEAD + FRAME_WORDS * WALK_LIMIT + 1];
	int count; /* number of frames */
	/* True: a stack with these return addresses at these distances always gives this walk, on
	 * any thread whose stack reaches as far up, until walk_generation changes. */
	bool is_exact;
};

/* The result of a walk: return addresses, innermost first. A walk ends after `limit` frames, or
 * after own_limit frames of the program's executable. The caller sets addresses, limit, own_limit
 * and trail, and count and own_count to 0. */
struct frames {
	uint64_t *addresses;
	int count, limit;
	int own_count, own_limit;
	struct trail *trail; /* also filled in, unless NULL */
};

/* Increases whenever a known stack may be walked differently from now on. */
extern _Atomic uint32_t walk_generation;

/* Finds the address range of the program's executable. Call in the constructor, before any walk. */
void walk_start(void);

/* Forgets the distances for return addresses in low..high, where a module was unloaded. Any
 * thread. */
void walk_forget(uint64_t low, uint64_t high);

/* From now on leaves out frames in loaded libraries whose file names begin with `stem`. At most 8
 * libraries; further ones are ignored, as are those that are left out already. Waits for no constructor (base/loaded.h). */
void walk_leave_out(const char *stem);

/* Whether the address lies in a library that is left out. Any thread. */
bool walk_is_left_out(uint64_t address);

/* Runs the unwinder if walk_key() would meet an unknown frame, or must_unwind (to verify the
 * remembered sizes), and remembers the sizes. frames: as for walk_key() but without a trail;
 * overwritten. The unwinder needs 2 KB of stack, so call it before making room for a trail. Call
 * while the caller's frame is live, like the next two. */
void walk_learn(struct frames *frames, const struct caller *caller, bool must_unwind);

/* Stores the innermost frames without the unwinder: at least the first, unless its library is left
 * out; none beyond a frame of varying size. frames->trail must not be NULL. */
void walk_key(struct frames *frames, const struct caller *caller);

/* Stores all frames within the limits. False: that needs the unwinder (0.5 us a frame), and
 * may_unwind is false; *frames is then incomplete. */
bool walk_whole(struct frames *frames, const struct caller *caller, bool may_unwind);

#endif
