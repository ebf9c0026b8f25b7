#include "recorder/call_cost.h"

#include "base/clock.h"

/* A longer cost means an interruption, a page fault or a clock step. It would stand for a thousand
 * calls, so it is ignored. */
#define MOST_NS 10000

/* A thread's first calls create its ring and load what is needed: they are untypical. */
#define FIRST_CALLS 16

_Alignas(64) __thread struct call_cost call_cost;

/* Leaves 32 to 95 calls between two measured ones, varying so that a loop is not always measured at
 * the same call. */
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

/* Each call's two readings of the clock lie half inside its times and half outside. The one extra
 * reading in this sum makes up for the halves inside. */
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

/* A callback without a wrapper reads the clock once more, for the call's start or end. */
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
