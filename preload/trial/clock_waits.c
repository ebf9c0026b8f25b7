/*
 * Interposes the functions that read a clock: a wait that was dropped (dropped_wait.h) is made up before, because the program may
 * measure how long the device takes. Direct reads of the processor's counter are not seen. Only threads that call CUDA wait: what
 * the others do, such as host functions, the device may wait for.
 */
#include "base/interpose.h"
#include "trial/dropped_wait.h"

#include <link.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

/* The driver reads clocks while it holds its locks, and so do allocators of memory, which the driver calls. */
static bool holds_locks(uintptr_t return_address)
{
	static const char *const stems[] = {"libcuda", "libnv", "libjemalloc", "libtcmalloc",
					    "libmimalloc"};
	struct dl_find_object found;
	const char *name, *slash;

	if (_dl_find_object((void *)return_address, &found))
		return true;
	name = found.dlfo_link_map->l_name;
	slash = strrchr(name, '/');
	name = slash ? slash + 1 : name;
	for (size_t i = 0; i < sizeof(stems) / sizeof(*stems); i++)
		if (!strncmp(name, stems[i], strlen(stems[i])))
			return true;
	return false;
}

/* A signal handler that interrupted a call of CUDA reads the clock at once, likewise. */
static __attribute__((noinline)) void make_up(uintptr_t return_address)
{
	if (trial_has_called && !trial_is_calling && !holds_locks(return_address))
		dropped_wait_make_up_alone();
}

/* Nobody measures the device with a clock of some ms. */
static bool is_coarse(clockid_t clock)
{
	return clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE;
}

#define CLOCK(result, name, params, args, measures)                                                \
	FIND_REAL(name)                                                                            \
	EXPORT result name params                                                                  \
	{                                                                                          \
		if (__builtin_expect(dropped_wait_is_pending(), 0) && (measures))                  \
			make_up((uintptr_t)__builtin_return_address(0));                           \
		return REAL(name) args;                                                            \
	}

CLOCK(int, clock_gettime, (clockid_t clock, struct timespec *now), (clock, now), !is_coarse(clock))
CLOCK(int, gettimeofday, (struct timeval *restrict now, void *restrict zone), (now, zone), true)
CLOCK(int, timespec_get, (struct timespec * now, int base), (now, base), true)
CLOCK(time_t, time, (time_t * now), (now), true)
CLOCK(clock_t, clock, (void), (), true)
