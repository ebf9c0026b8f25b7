/*
 * Delays a program's fork() while a thread of ours is in the middle of work that a child could not
 * continue from: SQLite is inside a call, a file half open, or a lock of the loader or of the
 * program's heap taken. Any number of threads may be inside; a fork waits for all of them, and they
 * wait outside while a process forks.
 */
#ifndef STREAMTRACE_FORK_GUARD_H
#define STREAMTRACE_FORK_GUARD_H

/* Call fork_guard_enter() before such work and fork_guard_leave() after it, on the same thread. The
 * work must be short; pairs may be nested. fork_guard_enter() waits for some 0.1 s at most: a signal
 * handler that forks within a fork leaves a child in which nobody ends the fork that it waits for. */
void fork_guard_enter(void);
void fork_guard_leave(void);

/* The same around work that loads libraries for longer: a fork waits for 2 s at most, as a child whose loader is locked would hang
 * in its next dlopen() or dl_iterate_phdr(). */
void fork_guard_enter_loader(void);
void fork_guard_leave_loader(void);

/*
 * The same around work that allocates, where the heap takes no care of forks: AddressSanitizer's does
 * so since GCC 14 and LLVM 16 only. With any other heap nothing is delayed. A thread that ours create
 * allocates before its first line: its creator calls fork_guard_enter_heap_of_thread(), the thread
 * fork_guard_begin_thread() first, or the creator fork_guard_no_thread() where there is none.
 */
void fork_guard_enter_heap(void);
void fork_guard_leave_heap(void);
void fork_guard_enter_heap_of_thread(void);
void fork_guard_begin_thread(void);
void fork_guard_no_thread(void);

/* Handlers for pthread_atfork(). fork_guard_before() waits some 0.1 s at most, or 2 s, because the forking
 * thread may hold a lock that the work needs. After that time the process forks in the middle of
 * the work: the guard is free in the child, but SQLite there may be inside a call. */
void fork_guard_before(void);
void fork_guard_after_in_parent(void);
void fork_guard_after_in_child(void);

#endif
