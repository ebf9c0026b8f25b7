/*
 * A disk of DISK_BYTES for the trace of a program: trace.db, what is beside it, and files without a name.
 * Preloaded behind libstrace.so.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static off_t nameless_bytes; /* what is reserved */

static off_t used_bytes(void)
{
	static const char *const names[] = {"trace.db", "trace.db-wal", "trace.db-shm"};
	off_t used = nameless_bytes;
	struct stat status;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (stat(names[i], &status) == 0)
			used += status.st_size;
	return used;
}

static int has_room(off_t bytes)
{
	return bytes <= 0 || used_bytes() + bytes <= atol(getenv("DISK_BYTES"));
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset);
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset)
{
	static ssize_t (*next)(int, const void *, size_t, off64_t);
	struct stat status;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "pwrite64");
	if (fstat(file, &status) == 0 && !has_room(offset + (off_t)count - status.st_size)) {
		errno = ENOSPC;
		return -1;
	}
	return next(file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset)
{
	return pwrite64(file, bytes, count, offset);
}

int fallocate(int file, int mode, off_t offset, off_t bytes)
{
	if (!has_room(bytes)) {
		errno = ENOSPC;
		return -1;
	}
	nameless_bytes = bytes;
	return 0;
}

int ftruncate(int file, off_t bytes)
{
	static int (*next)(int, off_t);
	struct stat status;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "ftruncate");
	if (fstat(file, &status) == 0 && status.st_nlink == 0)
		nameless_bytes = bytes;
	return next(file, bytes);
}
