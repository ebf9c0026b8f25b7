/*
 * Steps of a program that does not tell them: by a call that comes again and again, once in each.
 *
 * For some seconds each call site of each thread is followed. The one that comes back most often, but not more often than
 * once in PERIOD_LEAST_NS, and as regularly as the steps of a program do, begins the steps. Where its calls get
 * irregular, or it is not seen any more, another one is looked for; where there is none, only now and then.
 *
 * Writer thread only.
 */
#ifndef STREAMTRACE_WATCH_CALL_PERIOD_H
#define STREAMTRACE_WATCH_CALL_PERIOD_H

#include "recorder/record.h"

#include <stdbool.h>

#define PERIOD_LEAST_NS 1000000

/* Follows a call. True: a step begins with it, and *number is its number. */
bool call_period_see(const struct record *call, uint32_t thread_id, uint64_t *number);

/* Begins anew, as the clock was set. */
void call_period_forget(void);
/* The same in a forked child, which frees nothing: another thread of the parent may have held the allocator's lock. */
void call_period_after_fork(void);

#endif
