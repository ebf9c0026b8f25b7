/*
 * The limits between which the calling thread's stack is safe to read.
 *
 * Thread-local; no other thread reads it. No address counts as on the stack before
 * thread_stack_find() has run on the thread, nor on stacks unknown to the thread library
 * (coroutines).
 */
#ifndef STREAMTRACE_THREAD_STACK_H
#define STREAMTRACE_THREAD_STACK_H

#include <stdbool.h>
#include <stdint.h>

struct thread_stack {
	uint64_t low, high; /* high: one past the last byte; both 0: unknown */
};

/* Initial-exec: the library is there from the program's start. */
extern __thread struct thread_stack thread_stack __attribute__((tls_model("initial-exec")));

/* Finds the limits of the calling thread's stack; leaves them alone if the thread library does not
 * tell. Takes a lock and may allocate: not in signal handlers. */
void thread_stack_find(void);

static inline bool thread_stack_contains(uint64_t address)
{
	return address >= thread_stack.low && address < thread_stack.high;
}

#endif
