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

#endif
