#include "base/own_memory.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
	bool was_opened; /* or cannot be */
	int file;	 /* -1: it cannot be opened */
} memory;

static int open_memory(void)
{
	/* Not /proc/self/mem, which is gone when the first thread has ended. */
	if (!memory.was_opened)
		memory.file = (int)syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/mem",
					   O_RDONLY | O_CLOEXEC);
	memory.was_opened = true;
	return memory.file;
}

bool own_memory_read(void *to, uint64_t from, size_t bytes)
{
	return from <= INT64_MAX && open_memory() >= 0 &&
	       syscall(SYS_pread64, memory.file, to, bytes, from) == (long)bytes;
}

bool own_memory_is_readable(void)
{
	return open_memory() >= 0;
}

void own_memory_after_fork(void)
{
	memory.was_opened = false;
}
