/*
 * The program's steps: which there were last, and how each was judged.
 *
 * A step ends where the next one begins. Steps that the program tells by streamtrace_step() come before ranges of NVTX,
 * and these before the period of the calls: with the first of a better kind the steps begin anew. Writer thread only.
 */
#ifndef STREAMTRACE_WATCH_STEPS_H
#define STREAMTRACE_WATCH_STEPS_H

#include "facts/watch_page.h"
#include "watch/usual.h"

#include <stdbool.h>
#include <stdint.h>

/* The steps that are remembered: seconds, as the calls are. */
#define STEPS_REMEMBERED 1024

struct watched_step {
	uint64_t number;
	int64_t start_ns, end_ns; /* of CLOCK_REALTIME; end 0: it has not ended */
	int64_t read_bytes; /* that its thread read from storage: ever before, and once it has ended in it; -1: not known */
	uint32_t
		preempted; /* how often its thread was, for another one: likewise ever before; not known: 0 */
	uint32_t thread_id;
	enum watch_steps_by by;
	enum step_kind kind;
};

/* A step begins: number, start_ns, read_bytes, preempted, thread_id and by are set. Returns the one that ends with it, judged; NULL: there is
 * none, or *begun is no step beside better ones. Valid until the next call. */
const struct watched_step *steps_begin(const struct watched_step *begun, long slow_percent);

/* The running step; NULL: there is none. */
const struct watched_step *steps_running(void);

/* The i-th last step that has ended, from 0; NULL: not remembered. */
const struct watched_step *steps_ended(unsigned i);

int64_t steps_median_ns(void);
/* From then on a running step is perhaps a slow one: halfway from the median to the limit. 0: the median is not known. */
int64_t steps_suspicious_ns(long slow_percent);
int64_t steps_limit_ns(long slow_percent);

/* The clock was set, or calls are missing: the running step cannot be judged. */
void steps_break(void);

/* Call in a forked child. */
void steps_after_fork(void);

#endif
