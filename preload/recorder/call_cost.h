/*
 * Measures how long the tracer itself works for a call, in one of some 64 calls of a thread: in
 * place, with the program's caches and stacks. From these times the analyzer computes the untraced
 * time of the run.
 *
 * On the program's threads, in signal handlers too. A call that is not measured pays a counter and
 * a branch, a measured one several readings of the clock.
 */
#ifndef STREAMTRACE_CALL_COST_H
#define STREAMTRACE_CALL_COST_H

#include "base/hot.h"
#include "recorder/record.h"

#include <stdbool.h>
#include <stdint.h>

struct call_cost {
	int64_t since_ns; /* when the tracer began to work for this call; 0: not measured */
	uint32_t inside_ns, entry_ns; /* time in CUPTI's callbacks inside the call so far: in all of
				       * them, and at entries of driver calls */
	uint32_t until_next;	      /* calls until the next measured one */
	uint32_t measured;	      /* number of calls measured so far */
};

/* Thread-local. Initial-exec: the library is loaded from the program's start. */
extern __thread struct call_cost call_cost __attribute__((tls_model("initial-exec")));

/* The slow path of call_cost_begin(): starts to measure this call, unless it is the thread's
 * first. */
COLD void call_cost_measure(void);

/* Call at a call's beginning: in its wrapper, or in the callback of a driver call without a wrapper
 * around it. */
static inline void call_cost_begin(void)
{
	call_cost.since_ns = 0;
	if (__builtin_expect(call_cost.until_next-- == 0, 0))
		call_cost_measure();
}

static inline bool call_cost_is_measured(void)
{
	return call_cost.since_ns != 0;
}

/* Stores the measured cost in the call's record. Call right before the record is committed. */
COLD void call_cost_note(struct record *record);

/* A running callback of CUPTI for a driver call. */
struct cost_callback {
	int64_t start_ns, clock_ns; /* clock_ns: duration of one reading of the clock */
	bool is_entry, is_alone;    /* is_entry: at the driver call's entry, not its exit; is_alone:
				     * no wrapper is around the call */
};

/* The slow path of call_cost_callback(). */
void call_cost_callback_start(struct cost_callback *callback);

/* Call at the start of a callback. True: the callback is measured, and the caller must call
 * call_cost_callback_end() at its end. False: do nothing more. */
static inline bool call_cost_callback(struct cost_callback *callback, bool is_entry, bool is_alone)
{
	if (is_entry && is_alone)
		call_cost_begin();
	if (__builtin_expect(!call_cost_is_measured(), 1))
		return false;
	callback->is_entry = is_entry;
	callback->is_alone = is_alone;
	call_cost_callback_start(callback);
	return true;
}

void call_cost_callback_end(const struct cost_callback *callback);

#endif
