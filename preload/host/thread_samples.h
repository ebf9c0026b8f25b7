/*
 * Where a running thread of this process is, told by the kernel: perf_event_open().
 *
 * A sample is asked for. The kernel then interrupts the thread once, after a little of its time on a
 * processor and outside of system calls, and writes its registers and the top of its stack into
 * memory shared with us. That costs the thread 10 to 25 us in a virtual machine. Events that sample
 * all the time cost some 30 us at each switch of threads, too: there, a thread that answers another
 * one took 40 us for what takes 9 (2026-11-24, 2 processors under Firecracker).
 *
 * No signals. Often forbidden, in containers above all. Runs on one thread, which must not be one
 * that is sampled, and which has a table of descriptors of its own (descriptor_table.h): each event
 * has one.
 */
#ifndef STREAMTRACE_HOST_THREAD_SAMPLES_H
#define STREAMTRACE_HOST_THREAD_SAMPLES_H

#include "stack/unwind.h"

#include <stdbool.h>
#include <stdint.h>

/* All 0: the thread is not sampled. */
struct thread_samples {
	void *memory; /* NULL: no event */
	int file;
	bool is_asked;
};

struct thread_sample {
	int64_t time_ns; /* CLOCK_REALTIME */
	struct unwind_start start;
};

/* Asks for a sample, unless one is still to come. False: not allowed (thread_samples_refusal()), the
 * thread has ended, or 32 others are sampled. */
bool thread_samples_ask(struct thread_samples *samples, uint32_t thread_id);

/* Takes the sample that was asked for. sample->start.memory is valid until the next call, for
 * whatever thread. False: it has not come yet. */
bool thread_samples_take(struct thread_samples *samples, struct thread_sample *sample);

/* Ends the sampling of the thread. */
void thread_samples_end(struct thread_samples *samples);

/* Call in a forked child: no thread is sampled there, and all struct thread_samples are to be zeroed. */
void thread_samples_after_fork(void);

/* Why threads cannot be sampled, a text for people; NULL: they can, as far as is known. Any thread. */
const char *thread_samples_refusal(void);

#endif
