/*
 * Keeps a fork from coming while the writer is where a child could not go on from: with the
 * loader's lock held, which no child gets free again, or with SQLite or a file half open.
 */
#ifndef STREAMTRACE_FORK_GUARD_H
#define STREAMTRACE_FORK_GUARD_H

/* Around such work, which is short. Not nested. */
void fork_guard_enter(void);
void fork_guard_leave(void);

/* Handlers of pthread_atfork(). The first waits for a tenth of a second at most: a program that
 * forks while it holds what the writer waits for must not wait for ever. */
void fork_guard_before(void);
void fork_guard_after_in_parent(void);
void fork_guard_after_in_child(void);

#endif
