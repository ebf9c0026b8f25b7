#include "process.h"

#include "clock.h"
#include "options.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The kernel tells a process's start, and stamps files, to a tick: 10 ms at most. */
#define TICK_NS 10000000

/* INT64_MAX: it could not be read. */
static int64_t start_ns(void)
{
	int64_t boot_ns = clock_now_ns() - clock_ns(CLOCK_BOOTTIME);
	int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	unsigned long long ticks;
	char text[512], *name_end;
	ssize_t size = file < 0 ? -1 : read(file, text, sizeof(text) - 1);

	if (file >= 0)
		close(file);
	text[size > 0 ? size : 0] = '\0';
	name_end = strrchr(text, ')');
	if (!name_end || sscanf(name_end + 1,
				" %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s"
				" %*s %*s %*s %llu",
				&ticks) != 1)
		return INT64_MAX;
	return boot_ns + (int64_t)ticks * (1000000000 / sysconf(_SC_CLK_TCK)) - TICK_NS;
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
