/*
 * The clock that calls are stamped with: CLOCK_REALTIME, because CUPTI stamps device records with
 * it on Linux.
 *
 * Reading the clock costs 20 to 40 ns, and each call needs two readings; the processor's time-stamp
 * counter costs a third. So each thread reads the clock every 0.1 ms, or, as long as the counter agrees
 * with the clock, every 0.8 ms, and adds the counter's advance since then. A clock slewed by 500 ppm is
 * off by at most 0.2 us, and a step of the clock is seen after 0.8 ms. The counter is used only if libc
 * reads the clock without a system call, which the kernel allows where it keeps time by the counter, and
 * if no other library interposes clock_gettime(). Otherwise each reading is a clock_gettime().
 */
#ifndef STREAMTRACE_CLOCK_H
#define STREAMTRACE_CLOCK_H

#include "base/clock_reads.h"
#include "base/hot.h"

/* Returns the time of any clock of clock_gettime(), in ns. Any thread. */
static inline int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_read(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Returns the time of CLOCK_REALTIME in ns, exact to a microsecond. Any thread, signal handlers
 * too; leaves errno alone. */
HOT int64_t clock_now_ns(void);

/* Measures the counter's rate, and stops using the counter if its rate changes. Call repeatedly
 * from one thread, at least 10 ms apart; the counter is used from the second call on. */
void clock_calibrate(void);

/* Call in a forked child: the counter is unused until clock_calibrate() has run twice. */
void clock_after_fork(void);

#endif
