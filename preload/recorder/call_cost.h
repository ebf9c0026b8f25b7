/*
 * What the tracer itself takes of the program's time, measured for one call in some 64 of a thread:
 * where it happens, with the program's caches and stacks. Without it the untraced time of a run
 * cannot be told from the trace.
 *
 * On the program's threads, in signal handlers too. A call that is not measured pays for a counter
 * and a branch; a measured one for some readings of the clock.
 */
#ifndef STREAMTRACE_CALL_COST_H
#define STREAMTRACE_CALL_COST_H

#include "recorder/record.h"

#include <stdbool.h>
#include <stdint.h>

struct call_cost {
	int64_t since_ns; /* the tracer's first work for this call; 0: it is not measured */
	uint32_t inside_ns, entry_ns; /* in CUPTI's callbacks so far: all, and those at entries */
	uint32_t until_next;	      /* calls to come before one is measured */
	uint32_t measured;	      /* calls so far */
};

/* One a thread. Initial-exec: the library is there from the program's start. */
extern __thread struct call_cost call_cost __attribute__((tls_model("initial-exec")));

/* This call is the one. */
void call_cost_measure(void);

/* A call begins: with its wrapper, or in the callback of a driver call that has no wrapper around
 * it. */
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

/* Into the record of the call, right before it is committed. */
void call_cost_note(struct record *record);

/* A callback of a driver call under way. */
struct cost_callback {
	int64_t start_ns, clock_ns; /* clock_ns: what a reading of the clock takes */
	bool is_entry, is_alone;    /* is_alone: no wrapper is around the call */
};

void call_cost_callback_start(struct cost_callback *callback);

/* True: the callback is measured, and call_cost_callback_end() must follow. */
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
