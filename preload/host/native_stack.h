/*
 * The native stack of a watched thread: of one that waits, from its two registers that the kernel
 * tells; of one that runs, from samples (thread_samples.h). The looker only.
 */
#ifndef STREAMTRACE_HOST_NATIVE_STACK_H
#define STREAMTRACE_HOST_NATIVE_STACK_H

#include "host/task.h"
#include "host/thread_samples.h"

struct atom;
struct caller;

struct native_stack {
	struct thread_samples samples;
	int64_t asked_ns;  /* when a sample was last asked for */
	struct atom *runs; /* the ATOM_STACK of the last sample, taken at runs_ns */
	int64_t runs_ns;
};

/* Takes the sample that was asked for, into native->runs. Returns whether there was one. */
bool native_stack_take(struct native_stack *native);

/* Asks for a sample of the thread, which runs, unless one was asked for a little before. */
void native_stack_ask(struct native_stack *native, uint32_t thread_id, int64_t now_ns);

#define NATIVE_FRAMES_MOST 64

/* Stores the frames of a thread that is in a call made from *caller, innermost first: the caller is the first.
 * look: what it was found at a moment ago. Returns how many, at most NATIVE_FRAMES_MOST; 0: unknown. */
int native_stack_of_call(const struct task_look *look, const struct caller *caller,
			 uint64_t *words);

/* The ATOM_STACK of a thread that the look found with look->sp and look->pc; NULL: unknown, or no
 * room. */
struct atom *native_stack_of_wait(const struct task_look *look);

#endif
