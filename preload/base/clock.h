/* The clocks. CUPTI stamps device records with CLOCK_REALTIME on Linux, so calls are stamped with
 * it. */
#ifndef STREAMTRACE_CLOCK_H
#define STREAMTRACE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline int64_t clock_now_ns(void)
{
	return clock_ns(CLOCK_REALTIME);
}

#endif
