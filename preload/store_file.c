#include "store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* The database file as SQLite opened it; one a process. */
static struct {
	int file;
	struct stat status;
} opened = {.file = -1};

/* 'STRC' at the place of SQLite's application id: the file is ours to replace. */
static bool is_trace_or_empty(int file)
{
	char header[72];
	struct stat status;
	ssize_t size = pread(file, header, sizeof(header), 0);

	/* /dev/null reads as empty too. */
	if (fstat(file, &status) || !S_ISREG(status.st_mode))
		return false;
	return size == 0 || (size == sizeof(header) && !memcmp(header, "SQLite format 3", 16) &&
			     !memcmp(header + 68, "STRC", 4));
}

/* While a connection is open in WAL mode it keeps a shared lock on SQLite's lock bytes. */
static bool is_being_written(int file)
{
	struct flock lock = {.l_type = F_WRLCK, .l_start = 0x40000000, .l_len = 512};

	return !fcntl(file, F_GETLK, &lock) && lock.l_type != F_UNLCK;
}

static bool replace_old_file(const char *path, char *error, size_t error_size)
{
	int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	const char *reason = NULL;
	char beside[PATH_MAX + 8];

	if (file < 0 && errno == ENOENT)
		return true;
	if (file < 0 || !is_trace_or_empty(file))
		reason = "exists and is not a trace";
	else if (is_being_written(file))
		reason = "is being written by another process";
	if (file >= 0)
		close(file);
	if (reason) {
		snprintf(error, error_size, "%s %s: left alone", path, reason);
		return false;
	}
	snprintf(beside, sizeof(beside), "%s-wal", path);
	unlink(beside);
	snprintf(beside, sizeof(beside), "%s-shm", path);
	unlink(beside);
	if (!unlink(path))
		return true;
	snprintf(error, error_size, "cannot replace %s: %s", path, strerror(errno));
	return false;
}

bool store_file_create(const char *path, char *error, size_t error_size)
{
	int file;

	if (!replace_old_file(path, error, error_size))
		return false;
	file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (file < 0) {
		snprintf(error, error_size, "cannot create %s: %s", path, strerror(errno));
		return false;
	}
	close(file);
	return true;
}

/* SQLite's open(): with a number that the program will not come to. A program that closes what it
 * did not open, and then opens files of its own, would get our numbers, and SQLite write into its
 * files. It also keeps the low numbers that it would have untraced. */
static int open_high(const char *path, int flags, int mode)
{
	int file = open(path, flags | O_CLOEXEC, mode), high = -1;
	struct rlimit limit;

	/* Not higher than 1024: the kernel's table of files grows with the largest number. */
	if (file >= 0 && !getrlimit(RLIMIT_NOFILE, &limit)) {
		high = limit.rlim_cur < 1024 ? (int)limit.rlim_cur : 1024;
		high = fcntl(file, F_DUPFD_CLOEXEC, high - high / 16);
	}
	if (high >= 0) {
		close(file);
		file = high;
	}
	if (opened.file < 0 && file >= 0 && !fstat(file, &opened.status))
		opened.file = file;
	return file;
}

void store_file_initialize(sqlite3_vfs *vfs)
{
	if (vfs && vfs->iVersion >= 3)
		vfs->xSetSystemCall(vfs, "open", (sqlite3_syscall_ptr)open_high);
}

bool store_file_is_gone(void)
{
	struct stat now;

	return fstat(opened.file, &now) || now.st_dev != opened.status.st_dev ||
	       now.st_ino != opened.status.st_ino;
}
