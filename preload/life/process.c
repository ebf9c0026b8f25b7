#include "life/process.h"

#include "base/clock.h"
#include "base/options.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel rounds a process's start and files' times to ticks of at most 10 ms. */
#define TICK_NS 10000000

/* The text of /proc/self/stat from its third field, the state, on; NULL: unreadable. */
static const char *read_stat(char *text, size_t size)
{
	int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t length = file < 0 ? -1 : read(file, text, size - 1);
	char *name_end;

	if (file >= 0)
		close(file);
	text[length > 0 ? length : 0] = '\0';
	name_end = strrchr(text, ')'); /* the name before it may contain anything */
	return name_end ? name_end + 1 : NULL;
}

/* INT64_MAX: unreadable. */
static int64_t start_ns(void)
{
	int64_t boot_ns = clock_now_ns() - clock_ns(CLOCK_BOOTTIME);
	unsigned long long ticks;
	char text[512];
	const char *fields = read_stat(text, sizeof(text));

	if (!fields || sscanf(fields,
			      " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s"
			      " %*s %*s %*s %llu",
			      &ticks) != 1)
		return INT64_MAX;
	return boot_ns + (int64_t)ticks * (1000000000 / sysconf(_SC_CLK_TCK)) - TICK_NS;
}

/* Without a descriptor, which would have a low number for a moment: the kernel forgets a thread's
 * list of locks when it ends. True, too, where the thread has none, or the kernel does not tell. */
static bool first_thread_may_have_ended(void)
{
	void *locks = NULL;
	size_t bytes;

	return syscall(SYS_get_robust_list, getpid(), &locks, &bytes) || !locks;
}

bool process_threads_have_ended(int own_threads)
{
	char text[512], state;
	const char *fields;
	int threads;

	if (!first_thread_may_have_ended())
		return false;
	fields = read_stat(text, sizeof(text));
	return fields &&
	       sscanf(fields,
		      " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %d",
		      &state, &threads) == 2 &&
	       state == 'Z' && threads == 1 + own_threads;
}

int64_t process_run_began_ns(void)
{
	int64_t began_ns = start_ns();

	if (options.read_ns < began_ns)
		began_ns = options.read_ns;
	if (options.keep_since_ns && options.keep_since_ns < began_ns)
		began_ns = options.keep_since_ns;
	return began_ns;
}
