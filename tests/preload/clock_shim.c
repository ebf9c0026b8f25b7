/*
 * Preloaded behind libstrace.so: CLOCK_REALTIME is what the program sets it to with
 * clock_shim_set(), for itself and for its tracer, as if someone had set the machine's clock. It
 * can also make the tracer's writer believe that it is late.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "clock_shim.h"

#define SECOND_NS INT64_C(1000000000)

static _Atomic int64_t offset_ns, writer_offset_ns;

void clock_shim_set(int64_t ahead_ns)
{
	atomic_store(&offset_ns, ahead_ns);
}

void clock_shim_set_writer(int64_t ahead_ns)
{
	atomic_store(&writer_offset_ns, ahead_ns);
}

static bool is_writer(void)
{
	char name[16];

	return !pthread_getname_np(pthread_self(), name, sizeof(name)) &&
	       !strcmp(name, "streamtrace");
}

static void move(struct timespec *time, int64_t by_ns)
{
	const int64_t ns = time->tv_sec * SECOND_NS + time->tv_nsec + by_ns;

	time->tv_sec = ns / SECOND_NS;
	time->tv_nsec = ns % SECOND_NS;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	static int (*_Atomic next)(clockid_t, struct timespec *);
	int (*real)(clockid_t, struct timespec *) = atomic_load(&next);
	int result;

	if (!real) {
		*(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
		atomic_store(&next, real);
	}
	result = real(clock, now);
	if (!result && clock == CLOCK_REALTIME)
		move(now, atomic_load(&offset_ns));
	if (!result && clock == CLOCK_MONOTONIC && atomic_load(&writer_offset_ns) && is_writer())
		move(now, atomic_load(&writer_offset_ns));
	return result;
}

/* A sleep until a time of the moved clock. */
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
	static int (*_Atomic next)(clockid_t, int, const struct timespec *, struct timespec *);
	int (*real)(clockid_t, int, const struct timespec *, struct timespec *) =
		atomic_load(&next);
	struct timespec until = *time;

	if (!real) {
		*(void **)&real = dlsym(RTLD_NEXT, "clock_nanosleep");
		atomic_store(&next, real);
	}
	if (clock == CLOCK_REALTIME && flags & TIMER_ABSTIME)
		move(&until, -atomic_load(&offset_ns));
	return real(clock, flags, &until, left);
}
