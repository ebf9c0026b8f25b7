/*
 * The stack of a watched thread that a look found: Python's frames, or native ones where there are
 * none. The looker only.
 */
#ifndef STREAMTRACE_HOST_FOUND_STACK_H
#define STREAMTRACE_HOST_FOUND_STACK_H

#include "host/watched.h"

/* Returns the ATOM_STACK; NULL: unknown, or no room. That of a thread which runs without Python is
 * known when its sample has come. now_ns: CLOCK_REALTIME. */
struct atom *found_stack(struct watched *thread, const struct task_look *look, int64_t now_ns);

/* A sample comes after the look that found the thread running: gives that look's row its stack. Call
 * before found_stack(). */
void found_stack_take_sample(struct watched *thread);

/* Since when the thread does what the look found, of which found_stack() returned the site: now, or where a sample shows a
 * running thread elsewhere than its row, since the sample, which came soon behind the look that asked for it. */
static inline int64_t found_stack_since_ns(const struct watched *thread,
					   const struct task_look *look, const struct atom *site,
					   int64_t now_ns)
{
	const struct watched_row *row = &thread->row;
	const int64_t sampled_ns = thread->native.runs_ns;
	const bool runs_on = row->looks && row->look.state == HOST_STATE_RUNNING &&
			     look->state == HOST_STATE_RUNNING;

	return runs_on && site && site == thread->native.runs && sampled_ns > row->start_ns &&
			       sampled_ns < now_ns
		       ? sampled_ns
		       : now_ns;
}

#endif
