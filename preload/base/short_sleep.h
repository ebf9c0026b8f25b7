/* Waiting on the program's threads. */
#ifndef STREAMTRACE_SHORT_SLEEP_H
#define STREAMTRACE_SHORT_SLEEP_H

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Below a second; a signal ends it. Not nanosleep(), in which a thread of the program that is
 * cancelled would end, inside of a call that is no cancellation point. errno is left alone. */
static inline void short_sleep(long ns)
{
	const struct timespec time = {.tv_nsec = ns};
	int saved_errno = errno;

	syscall(SYS_nanosleep, &time, NULL);
	errno = saved_errno;
}

#endif
