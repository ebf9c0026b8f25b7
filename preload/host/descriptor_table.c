#include "host/descriptor_table.h"

#include "host/task.h"

#include <linux/close_range.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A sanitizer in the library writes what it found to descriptor 2. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FIRST_CLOSED 3
#else
#define FIRST_CLOSED 0
#endif

/* Closed in one go, for Linux before 5.9. */
#define CLOSED_AT_ONCE 1024

static void close_each(void)
{
	static uint32_t numbers[CLOSED_AT_ONCE];
	int count, closed;

	do {
		count = task_numbers("/proc/thread-self/fd", numbers, CLOSED_AT_ONCE);
		closed = 0;
		for (int i = 0; i < count && i < CLOSED_AT_ONCE; i++)
			closed +=
				(int)numbers[i] >= FIRST_CLOSED && !syscall(SYS_close, numbers[i]);
	} while (closed);
}

bool descriptor_table_separate(void)
{
	if (!syscall(SYS_close_range, FIRST_CLOSED, ~0U, CLOSE_RANGE_UNSHARE))
		return true;
	if (unshare(CLONE_FILES))
		return false;
	close_each();
	return true;
}
