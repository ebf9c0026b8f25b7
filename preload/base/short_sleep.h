/* A sleep for the program's threads. */
#ifndef STREAMTRACE_SHORT_SLEEP_H
#define STREAMTRACE_SHORT_SLEEP_H

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Sleeps for ns, below a second; a signal ends it early. Leaves errno alone. A system call, because
 * nanosleep() is a cancellation point: a thread could be cancelled inside a CUDA call, which is
 * none. */
static inline void short_sleep(long ns)
{
	const struct timespec time = {.tv_nsec = ns};
	int saved_errno = errno;

	syscall(SYS_nanosleep, &time, NULL);
	errno = saved_errno;
}

#endif
