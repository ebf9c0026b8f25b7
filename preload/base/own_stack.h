/*
 * Work that needs more stack than the program's thread may have left: it runs on the same thread, on
 * memory of its own.
 */
#ifndef STREAMTRACE_OWN_STACK_H
#define STREAMTRACE_OWN_STACK_H

/* Calls work(). Some hundred bytes of the caller's stack are used, and the rest is mapped memory, or the
 * caller's stack where there is no memory. Meanwhile the thread's signals wait, but for faults: the program's
 * handlers do not find themselves on a stack that is not theirs. Any thread. */
void own_stack_run(void (*work)(void));

#endif
