#include "base/thread_times.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Reads the file's text as a string. By system calls: the program may interpose open() and read(),
 * and they are cancellation points. */
static bool read_file(const char *path, char *text, size_t size)
{
	int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	long length;

	if (file < 0)
		return false;
	length = syscall(SYS_read, file, text, size - 1);
	syscall(SYS_close, file);
	text[length > 0 ? length : 0] = '\0';
	return length > 0;
}

static int64_t next_number(const char **text)
{
	uint64_t number = 0;

	for (; **text == ' '; (*text)++)
		;
	for (; **text >= '0' && **text <= '9'; (*text)++)
		number = number * 10 + (uint64_t)(**text - '0');
	return (int64_t)number;
}

/* The clock id of a thread's processor time: schedstat's own number is as old as the last tick. */
static clockid_t clock_of(uint32_t thread_id)
{
	return (clockid_t)(~thread_id << 3 | 6);
}

/* False: the thread has ended. */
static bool read_clock(uint32_t thread_id, int64_t *cpu_ns)
{
	struct timespec time;

	if (clock_read(clock_of(thread_id), &time))
		return false;
	*cpu_ns = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
	return true;
}

struct thread_times thread_times_read(uint32_t thread_id)
{
	struct thread_times times = {0};
	int saved_errno = errno;
	char path[64], text[96];
	const char *next = text;

	snprintf(path, sizeof(path), "/proc/self/task/%u/schedstat", thread_id);
	if (read_file(path, text, sizeof(text))) {
		times.time_ns = clock_now_ns();
		next_number(&next);
		times.ready_ns = next_number(&next);
		times.runs = next_number(&next);
		/* A kernel without these statistics prints zeros. */
		if (!times.runs || !read_clock(thread_id, &times.cpu_ns))
			times = (struct thread_times){0};
	}
	errno = saved_errno;
	return times;
}
