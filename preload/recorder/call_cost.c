#include "recorder/call_cost.h"

#include "base/clock.h"

/* Where the tracer takes longer, the thread was interrupted, took a page fault or the clock was set.
 * One of these among some twenty measured calls would speak for a thousand others. */
#define MOST_NS 10000

/* The first calls of a thread, which make its ring and load what is needed, are like no others. */
#define FIRST_CALLS 16

__thread struct call_cost call_cost;

/* Between two measured calls lie 32 to 95 others: a loop of the program must not meet with the same
 * call each time. */
void call_cost_measure(void)
{
	uint64_t mixed = ++call_cost.measured * UINT64_C(0x9e3779b97f4a7c15);

	if (call_cost.measured == 1) {
		call_cost.until_next = FIRST_CALLS;
		return;
	}
	call_cost.until_next = 32 + (uint32_t)(mixed >> 58);
	call_cost.inside_ns = call_cost.entry_ns = 0;
	call_cost.since_ns = clock_now_ns();
}

/* The two readings of the clock that every call has lie half inside of its times and half outside.
 * The one more that is in this sum makes up for what is inside. */
void call_cost_note(struct record *record)
{
	int64_t outside_ns =
		record->start_ns - call_cost.since_ns + clock_now_ns() - record->end_ns;

	if (outside_ns >= 0 && outside_ns <= MOST_NS) {
		record->has |= RECORD_HAS_TOOL;
		record->tool_outside_ns = (uint32_t)outside_ns;
		record->tool_inside_ns = call_cost.inside_ns;
		record->tool_entry_ns = call_cost.entry_ns;
	}
	call_cost.since_ns = 0;
}

void call_cost_callback_start(struct cost_callback *callback)
{
	int64_t before_ns = clock_now_ns();

	callback->start_ns = clock_now_ns();
	callback->clock_ns = callback->start_ns - before_ns;
	if (callback->is_alone && callback->is_entry)
		call_cost.since_ns = callback->start_ns;
}

/* A callback without a wrapper reads the clock itself, for the call's start or its end. */
void call_cost_callback_end(const struct cost_callback *callback)
{
	int64_t took_ns = clock_now_ns() - callback->start_ns -
			  (callback->is_alone ? 2 : 1) * callback->clock_ns;

	if (took_ns < 0 || took_ns > MOST_NS)
		return;
	if (callback->is_entry)
		call_cost.entry_ns += (uint32_t)took_ns;
	if (!callback->is_alone)
		call_cost.inside_ns += (uint32_t)took_ns;
}
