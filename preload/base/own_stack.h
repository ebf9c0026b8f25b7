/*
 * Runs work that needs more stack than the program's thread may have left: on the same thread, but
 * on a stack of its own.
 */
#ifndef STREAMTRACE_OWN_STACK_H
#define STREAMTRACE_OWN_STACK_H

/* Calls work() on 1 MB of fresh memory, or on the caller's stack if no memory is available. Needs
 * some hundred bytes of the caller's stack. Meanwhile the thread's signals are blocked, except for
 * faults: the program's handlers must not run on a stack that is not theirs. Any thread. */
void own_stack_run(void (*work)(void));

#endif
