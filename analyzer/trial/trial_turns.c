#include "trial/trial_turns.h"

#include "base/minmax.h"

/* Shorter turns would be measured with their ends: a program that hides the host behind the device loses up to a step where the device
 * becomes idle, and the wait itself takes up to some 0.1 ms. */
enum { TURN_LEAST_CALLS = 30, TURN_LEAST_MS = 5 };
enum { WARM_SHARE = 5 }; /* a turn's first calls, its number of calls divided by this, warm up */
enum { COVER_PERCENT = 80 }; /* of the run's work: what turns do not cover is not measured */

static bool can_be_switched(enum trial_fix fix)
{
	return fix == TRIAL_PINNED_RING || fix == TRIAL_HELD_FREE || fix == TRIAL_DROPPED_WAIT ||
	       fix == TRIAL_PREFETCH;
}

static bool has_captures(const struct trace *trace)
{
	for (size_t i = 0; i < trace->call_count; i++)
		if (trace->calls[i].form->function->class == CLASS_GRAPH_CAPTURE)
			return true;
	return false;
}

static int64_t span_of(const struct trial_place *place)
{
	return place->last_ns - place->first_ns;
}

/* From the first operation to the end of the last one. */
static int64_t work_ns(const struct trace *trace)
{
	int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;

	for (size_t i = 0; i < trace->operation_count; i++) {
		first_ns = min_ns(first_ns, trace->operations[i].start_ns);
		last_ns = max_ns(last_ns, trace->operations[i].end_ns);
	}
	return trace->operation_count ? last_ns - first_ns : 0;
}

/* A turn ends at the call behind it. */
static uint64_t calls_of_turn(const struct trial_place *place)
{
	return place->calls ? (place->calls - 1) / TRIAL_TURNS_WANTED : 0;
}

static bool is_long_enough(const struct trial_place *place)
{
	const uint64_t calls = calls_of_turn(place);

	return calls - calls / WARM_SHARE >= TURN_LEAST_CALLS && calls <= UINT32_MAX &&
	       span_of(place) / TRIAL_TURNS_WANTED >= TURN_LEAST_MS * INT64_C(1000000);
}

struct trial_turns trial_turns_choose(const struct trial_plan *plan, const struct trace *trace)
{
	const struct trial_place *places = plan->places.items, *most = NULL;
	struct trial_turns turns = {0};
	uint64_t calls;

	for (size_t i = 0; i < plan->places.count; i++) {
		if (!can_be_switched(places[i].fix))
			return turns;
		if (is_long_enough(&places[i]) && (!most || span_of(&places[i]) > span_of(most)))
			most = &places[i];
	}
	if (!most || has_captures(trace) || span_of(most) < work_ns(trace) / 100 * COVER_PERCENT)
		return turns;
	calls = calls_of_turn(most);
	turns.place = (size_t)(most - places);
	turns.of_run = most->calls;
	turns.warm = (uint32_t)calls / WARM_SHARE;
	turns.calls = (uint32_t)calls - turns.warm;
	return turns;
}

void trial_turns_fill(const struct trial_turns *turns, struct trial_page *page)
{
	page->turn_site = (uint32_t)turns->place;
	page->turn_calls = turns->calls;
	page->warm_calls = turns->warm;
}

static int64_t in_run(const struct trial_turns *turns, int64_t ns)
{
	return (int64_t)((double)ns / turns->calls * (double)turns->of_run);
}

struct trial_time trial_turns_time(const struct trial_turns *turns, const struct trial_page *page,
				   const struct trial_time *untouched,
				   const struct trial_time *fixed)
{
	const struct trial_turn *turn = &page->turns[turns->count];
	const bool is_fixed =
		trial_is_fixed_at(turns->count / TRIAL_BLOCK, turns->count % TRIAL_BLOCK);
	struct trial_time time = is_fixed ? *fixed : *untouched;

	time.ns = in_run(turns, turn->ns);
	time.late_set_up_ns = is_fixed ? min_ns(time.ns, in_run(turns, turn->set_up_ns)) : 0;
	return time;
}
