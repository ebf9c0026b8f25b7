/*
 * The ways out of a process that run no exit handler: _exit(), _Exit(), abort() and exec.
 *
 * They are interposed. In the process that is traced, and nowhere else (a forked child, and the
 * child of a vfork, pass at once), the writer gets a bounded time for what the rings still hold,
 * then the real function runs. Futexes, clocks and getpid() only: all are async-signal-safe. What
 * glibc calls by itself (a failed assertion, system(), posix_spawn()) does not come through here.
 */
#ifndef STREAMTRACE_ENDS_H
#define STREAMTRACE_ENDS_H

/* Looks the real functions up, so that none has to be later, in a signal handler. Constructor. */
void ends_initialize(void);

#endif
