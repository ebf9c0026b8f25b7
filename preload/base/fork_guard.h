/*
 * Delays a program's fork() while the writer is in the middle of work that a child could not
 * continue from: SQLite is inside a call, or a file half open. The guard is one lock:
 * fork_guard_enter() waits while another thread is inside, and during a fork.
 */
#ifndef STREAMTRACE_FORK_GUARD_H
#define STREAMTRACE_FORK_GUARD_H

/* Call fork_guard_enter() before such work and fork_guard_leave() after it, on the same thread. The
 * work must be short; the pair must not be nested. */
void fork_guard_enter(void);
void fork_guard_leave(void);

/* Handlers for pthread_atfork(). fork_guard_before() waits some 0.1 s at most, because the forking
 * thread may hold a lock that the writer needs. After that time the process forks in the middle of
 * the work: the guard is free in the child, but SQLite there may be inside a call. */
void fork_guard_before(void);
void fork_guard_after_in_parent(void);
void fork_guard_after_in_child(void);

#endif
