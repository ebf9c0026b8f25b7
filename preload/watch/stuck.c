#include "watch/stuck.h"

#include "base/clock.h"
#include "recorder/recorder.h"

/* Whether the thread is in the call that it was in when last looked at: a look can find the time of the call before
 * (recorder_running()). Remembers the call. */
static bool is_same_call(struct ring *ring, const struct recorder_running *running)
{
	const bool is_same = ring->stuck.serial == running->serial &&
			     ring->stuck.entered_ns == running->entered_ns;

	if (!is_same)
		ring->stuck.is_told = false;
	ring->stuck.serial = running->serial;
	ring->stuck.entered_ns = running->entered_ns;
	return is_same;
}

static bool is_stuck(struct ring *ring, const struct recorder_running *running, int64_t since_ns)
{
	return is_same_call(ring, running) && running->entered_ns &&
	       running->entered_ns <= since_ns && !ring->stuck.is_told;
}

bool stuck_find(struct stuck_call *stuck, int64_t after_ns)
{
	const int64_t since_ns = clock_now_ns() - after_ns;

	for (struct ring *ring = recorder_rings(); ring; ring = ring->next) {
		struct recorder_running running;

		if (!recorder_running(ring, &running) || !is_stuck(ring, &running, since_ns))
			continue;
		ring->stuck.is_told = true;
		*stuck = (struct stuck_call){.thread_id = ring->thread_id,
					     .function = running.function,
					     .entered_ns = running.entered_ns,
					     .caller = running.caller};
		return true;
	}
	return false;
}
