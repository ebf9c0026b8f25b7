/*
 * Delays a program's fork() while the writer is in the middle of work that a child could not
 * continue from: SQLite is inside a call, or a file half open.
 */
#ifndef STREAMTRACE_FORK_GUARD_H
#define STREAMTRACE_FORK_GUARD_H

/* Call both around such work, on the same thread. The work must be short; the pair must not be
 * nested. */
void fork_guard_enter(void);
void fork_guard_leave(void);

/* Handlers for pthread_atfork(). fork_guard_before() waits 0.1 s at most: the program may hold a
 * lock that the writer needs while it forks. */
void fork_guard_before(void);
void fork_guard_after_in_parent(void);
void fork_guard_after_in_child(void);

#endif
