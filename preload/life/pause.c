#include "life/pause.h"

#include "base/clock.h"
#include "cupti/source.h"
#include "recorder/windows.h"

#include <stdbool.h>
#include <stdint.h>

/* A window's operations may run on after its end. */
#define RUN_ON_NS 2000000000

static struct {
	bool is_off;
	int64_t wanted_ns; /* CLOCK_MONOTONIC time when a window was last open; 0: never */
} state;

static void switch_on(void)
{
	if (!state.is_off)
		return;
	cupti_source_pause(false);
	state.is_off = false;
	windows_resume();
}

void pause_follow_windows(void)
{
	int64_t now_ns = clock_ns(CLOCK_MONOTONIC);

	if (windows_are_wanted()) {
		state.wanted_ns = now_ns;
		switch_on();
		return;
	}
	if (state.is_off || (state.wanted_ns && now_ns - state.wanted_ns < RUN_ON_NS) ||
	    !cupti_source_is_on() || !windows_suspend())
		return;
	cupti_source_pause(true);
	state.is_off = true;
}

void pause_after_fork(void)
{
	state.is_off = false;
	state.wanted_ns = 0;
}
