/*
 * Delays a fork while the writer is in a state that a child cannot continue from: SQLite or a file is half
 * open.
 */
#ifndef STREAMTRACE_FORK_GUARD_H
#define STREAMTRACE_FORK_GUARD_H

/* Around such work, which is short. Not nested. */
void fork_guard_enter(void);
void fork_guard_leave(void);

/* Handlers of pthread_atfork(). The first waits for a tenth of a second at most: a program that
 * forks while it has a lock that the writer waits for must not wait for ever. */
void fork_guard_before(void);
void fork_guard_after_in_parent(void);
void fork_guard_after_in_child(void);

#endif
