/*
 * The clocks. CUPTI stamps device records with CLOCK_REALTIME on Linux, so calls are stamped with
 * it.
 *
 * A reading costs 20 ns and more, a call has two, and the processor's time-stamp counter costs a
 * third. So each thread reads the clock at most every 0.1 ms, and adds what the counter has gone
 * on since: a clock that is slewed by 500 ppm is off by 50 ns then, and one that is set is seen
 * 0.1 ms later. Only where the kernel itself keeps its time by the counter, and where nobody
 * interposes the clock; elsewhere each reading is one of the clock.
 */
#ifndef STREAMTRACE_CLOCK_H
#define STREAMTRACE_CLOCK_H

#include "base/clock_reads.h"

static inline int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_read(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* CLOCK_REALTIME within a microsecond. Any thread, signal handlers too; errno is left alone. */
int64_t clock_now_ns(void);

/* Finds out how fast the counter goes, and makes sure that it still does. From time to time, at
 * least 10 ms apart; before the second time the counter is not used. One thread. */
void clock_calibrate(void);

/* In a forked child. */
void clock_after_fork(void);

#endif
