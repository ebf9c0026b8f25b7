/* One thread sleeps until another changes a word, in this process. Async-signal-safe; changes
 * errno. */
#ifndef STREAMTRACE_FUTEX_H
#define STREAMTRACE_FUTEX_H

#include "base/short_sleep.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Between two looks at the word, where a sandbox forbids futexes: callers wait in loops. */
#define FUTEX_FORBIDDEN_NS 1000000

/* Sleeps while *word == value, at most timeout_ns; may return early for no reason. */
static inline void futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t timeout_ns)
{
	const struct timespec timeout = {.tv_sec = timeout_ns / 1000000000,
					 .tv_nsec = timeout_ns % 1000000000};

	if (syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &timeout, NULL, 0) &&
	    errno != EAGAIN && errno != EINTR && errno != ETIMEDOUT)
		short_sleep(timeout_ns < FUTEX_FORBIDDEN_NS ? timeout_ns : FUTEX_FORBIDDEN_NS);
}

/* Wakes all threads that sleep on the word. Change *word first. */
static inline void futex_wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

#endif
