/*
 * The calling thread's stack: from where to where it is safe to read.
 *
 * A thread's own; nobody else reads it. Until thread_stack_find() has run, and on stacks that the
 * thread library does not know (coroutines), no address is on it.
 */
#ifndef STREAMTRACE_THREAD_STACK_H
#define STREAMTRACE_THREAD_STACK_H

#include <stdbool.h>
#include <stdint.h>

struct thread_stack {
	uint64_t low, high; /* both 0 when unknown */
};

/* Initial-exec: the library is there from the program's start. */
extern __thread struct thread_stack thread_stack __attribute__((tls_model("initial-exec")));

/* Finds out. Takes a lock and may allocate. */
void thread_stack_find(void);

static inline bool thread_stack_contains(uint64_t address)
{
	return address >= thread_stack.low && address < thread_stack.high;
}

#endif
