#include "life/clock_steps.h"

#include "base/clock.h"
#include "base/losses.h"

#include <stdlib.h>

/* NTP slews by at most 500 ppm: a larger change is a step. */
#define STEP_NS	     1000000
#define SLEW_DIVISOR 1000

/* The last readings. */
static struct {
	int64_t realtime_ns, raw_ns;
} last;

/* Reads both clocks within STEP_NS / 10, unless it is interrupted each time. */
static void read_clocks(int64_t *realtime_ns, int64_t *raw_ns)
{
	int64_t before_ns;

	for (int i = 0; i < 10; i++) {
		before_ns = clock_ns(CLOCK_MONOTONIC_RAW);
		*realtime_ns = clock_ns(CLOCK_REALTIME);
		*raw_ns = clock_ns(CLOCK_MONOTONIC_RAW);
		if (*raw_ns - before_ns < STEP_NS / 10)
			return;
	}
}

void clock_steps_start(void)
{
	read_clocks(&last.realtime_ns, &last.raw_ns);
}

bool clock_steps_check(struct store *store, bool is_sample)
{
	int64_t realtime_ns, raw_ns, step_ns;
	bool was_set;

	clock_calibrate();
	read_clocks(&realtime_ns, &raw_ns);
	step_ns = (realtime_ns - last.realtime_ns) - (raw_ns - last.raw_ns);
	was_set = llabs(step_ns) > STEP_NS + (raw_ns - last.raw_ns) / SLEW_DIVISOR;
	if (was_set && store) {
		store_loss(store, losses_name(LOSS_CLOCK_STEP), (uint64_t)llabs(step_ns),
			   STORE_NULL, step_ns > 0 ? "forwards" : "backwards");
		store_clock_sample(store, last.realtime_ns, last.raw_ns);
		is_sample = true;
	}
	if (is_sample && store)
		store_clock_sample(store, realtime_ns, raw_ns);
	last.realtime_ns = realtime_ns;
	last.raw_ns = raw_ns;
	return was_set;
}
