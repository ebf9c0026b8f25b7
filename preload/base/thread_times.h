/* What the kernel counts of a thread: the time on a processor, and the time ready for one. */
#ifndef STREAMTRACE_THREAD_TIMES_H
#define STREAMTRACE_THREAD_TIMES_H

#include <stdbool.h>
#include <stdint.h>

/* Since the thread began. Zeros: not known. */
struct thread_times {
	int64_t time_ns; /* when they were read: CLOCK_REALTIME */
	int64_t cpu_ns;
	int64_t ready_ns; /* it could have run, and had no processor */
	int64_t runs;	  /* how often it got one */
};

/* Any thread, no allocation; errno is left alone. Some 10 us. thread_id: of this process. */
struct thread_times thread_times_read(uint32_t thread_id);

#endif
