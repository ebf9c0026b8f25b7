/* What first_use.c and after_calls.c share: what is asked for, what was seen, and the lock. */
#ifndef STREAMTRACE_FIRST_USE_WATCH_STATE_H
#define STREAMTRACE_FIRST_USE_WATCH_STATE_H

#include "api/functions.h"
#include "first_use/link.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define EVENTS 1024 /* a power of two; an event displaced by another one is forgotten */

struct event {
	uint64_t handle, stream, serial;
	uint32_t context, thread_id;
};

/* The lock is for serial and events. */
struct first_use_state {
	bool wants_first_uses, wants_races;
	_Atomic(const struct first_use_touch *) touch;
	_Atomic(const char *) obstacle; /* why nothing is watched, or not any longer; NULL:
					 * watching */
	uint64_t serial;
	struct event events[EVENTS];
	uint8_t roles[FUNCTION_COUNT];
};
extern struct first_use_state uses;
extern _Atomic bool first_use_on; /* first_use.h */

/* Block signals, too: *signals has the mask meanwhile. */
void first_use_lock(uint64_t *signals);
void first_use_unlock(const uint64_t *signals);

/* Ends all watches for good. reason: static text for the metadata. Any thread, signal handlers
 * too. */
void first_use_give_up(const char *reason);

/* Call in a forked child: it has the lock for itself, and knows no events. */
void first_use_state_after_fork(void);

#endif
