#include "base/own_memory.h"

#include "base/high_file.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
	bool is_open;
	int file;
	dev_t device;
	ino_t inode;
} memory;

static bool is_ours(int file)
{
	struct stat status;

	return !fstat(file, &status) && status.st_dev == memory.device &&
	       status.st_ino == memory.inode;
}

static void open_memory(void)
{
	const int low = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDONLY | O_CLOEXEC);
	struct stat status;

	if (low < 0)
		return;
	if (!fstat(low, &status)) {
		memory.device = status.st_dev;
		memory.inode = status.st_ino;
		memory.file = high_file(low);
		memory.is_open = memory.file >= 0 && is_ours(memory.file);
	}
	if (is_ours(low))
		syscall(SYS_close, low);
}

void own_memory_check(void)
{
	if (!memory.is_open || !is_ours(memory.file)) {
		memory.is_open = false;
		open_memory();
	}
}

bool own_memory_read(void *to, uint64_t from, size_t bytes)
{
	if (!memory.is_open)
		open_memory();
	return memory.is_open && from <= INT64_MAX &&
	       syscall(SYS_pread64, memory.file, to, bytes, from) == (long)bytes;
}

void own_memory_after_fork(void)
{
	if (memory.is_open && is_ours(memory.file))
		syscall(SYS_close, memory.file);
	memory.is_open = false;
}
