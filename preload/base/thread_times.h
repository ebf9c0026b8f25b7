/* The kernel's counters of one thread: its time on a processor, and its time ready but without
 * one. */
#ifndef STREAMTRACE_THREAD_TIMES_H
#define STREAMTRACE_THREAD_TIMES_H

#include <stdbool.h>
#include <stdint.h>

/* Totals since the thread began. All 0: not known. */
struct thread_times {
	int64_t time_ns; /* when the counters were read: CLOCK_REALTIME */
	int64_t cpu_ns;
	int64_t ready_ns; /* ready to run, without a processor */
	int64_t runs;	  /* how often it was given a processor */
};

/* Reads the counters of a thread of this process; thread_id as gettid(). Some 10 us. Any thread; no
 * allocation; leaves errno alone. */
struct thread_times thread_times_read(uint32_t thread_id);

#endif
