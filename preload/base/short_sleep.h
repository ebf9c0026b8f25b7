/* A sleep for the program's threads. */
#ifndef STREAMTRACE_SHORT_SLEEP_H
#define STREAMTRACE_SHORT_SLEEP_H

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Sleeps for ns, which must be below a second; a signal ends the sleep early. Leaves errno alone.
 * Makes the system call itself, because nanosleep() is a cancellation point, and a CUDA call must
 * not become one. */
static inline void short_sleep(long ns)
{
	const struct timespec time = {.tv_nsec = ns};
	int saved_errno = errno;

	syscall(SYS_nanosleep, &time, NULL);
	errno = saved_errno;
}

#endif
