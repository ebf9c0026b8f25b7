/*
 * Ahead of libc: CLOCK_REALTIME is the stand-in device's own clock, for the program and for its tracer, as soon as
 * the program has said fake_cuda_use_own_clock(). A library: the tracer, which interposes the clock itself, looks
 * behind itself for the next one.
 */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fake_cuda.h"

#define SECOND_NS 1000000000

int clock_gettime(clockid_t clock, struct timespec *now)
{
	uint64_t now_ns;

	if (clock != CLOCK_REALTIME || !fake_cuda_has_own_clock())
		return (int)syscall(SYS_clock_gettime, clock, now);
	now_ns = fake_cuda_now_ns();
	now->tv_sec = (time_t)(now_ns / SECOND_NS);
	now->tv_nsec = (long)(now_ns % SECOND_NS);
	return 0;
}
