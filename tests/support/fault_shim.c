/*
 * Preloaded into streamtrace: a fault at one of the calls that change files.
 *
 * FAULT_AT=N: at the Nth of them, counted from 1. FAULT: what happens there:
 *   full         from then on nothing more can be written: ENOSPC
 *   interrupted  that call is: EINTR, where the system may say so
 *   SIGKILL, ... that signal comes right before the call
 * FAULT_SAYS: a descriptor, to which one byte is written when it happens.
 * A forked process goes on counting where its parent was. Nothing waits for the disk.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILES_MOST 1024

enum may_fail { MAY_FAIL, MAY_FAIL_FULL, CANNOT_FAIL };

static struct {
	bool is_read, is_full;
	long at, count;
	int said;
	const char *fault;
	bool is_written[FILES_MOST]; /* descriptors whose closing counts */
} faults;

/* Only in streamtrace itself, not in what it runs. */
static void read_environment(void)
{
	const char *at = getenv("FAULT_AT"), *said = getenv("FAULT_SAYS");

	if (faults.is_read)
		return;
	faults.is_read = true;
	faults.fault = getenv("FAULT");
	faults.at = at && faults.fault && !strcmp(program_invocation_short_name, "streamtrace")
			    ? atol(at)
			    : 0;
	faults.said = said ? atoi(said) : -1;
}

static int signal_number(const char *name)
{
	return !strcmp(name, "SIGKILL")	  ? SIGKILL
	       : !strcmp(name, "SIGTERM") ? SIGTERM
	       : !strcmp(name, "SIGINT")  ? SIGINT
					  : 0;
}

/* Counts a call; true: it fails, with errno. */
static bool fails(enum may_fail may_fail)
{
	bool is_now;

	read_environment();
	is_now = ++faults.count == faults.at;
	if (is_now) {
		syscall(SYS_write, faults.said, "!", 1);
		if (signal_number(faults.fault))
			kill(getpid(), signal_number(faults.fault));
		faults.is_full = !strcmp(faults.fault, "full");
	}
	if (faults.is_full && may_fail != CANNOT_FAIL) {
		errno = ENOSPC;
		return true;
	}
	errno = EINTR;
	return is_now && may_fail == MAY_FAIL && !strcmp(faults.fault, "interrupted");
}

static int open_counted(int folder, const char *path, int flags, mode_t mode)
{
	bool is_written = (flags & O_ACCMODE) != O_RDONLY;
	int file;

	if (is_written && fails(flags & O_CREAT ? MAY_FAIL : CANNOT_FAIL))
		return -1;
	file = (int)syscall(SYS_openat, folder, path, flags, mode);
	if (file >= 0 && file < FILES_MOST)
		faults.is_written[file] = is_written;
	return file;
}

#define MODE_OF(flags)                                                                             \
	({                                                                                         \
		va_list rest;                                                                      \
		mode_t mode;                                                                       \
                                                                                                   \
		va_start(rest, flags);                                                             \
		mode = (flags)&O_CREAT ? va_arg(rest, mode_t) : 0;                                 \
		va_end(rest);                                                                      \
		mode;                                                                              \
	})

int open(const char *path, int flags, ...)
{
	return open_counted(AT_FDCWD, path, flags, MODE_OF(flags));
}

int open64(const char *path, int flags, ...)
{
	return open_counted(AT_FDCWD, path, flags, MODE_OF(flags));
}

ssize_t write(int file, const void *bytes, size_t size)
{
	if (file > STDERR_FILENO && fails(MAY_FAIL))
		return -1;
	return syscall(SYS_write, file, bytes, size);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off_t offset)
{
	return fails(MAY_FAIL) ? -1 : syscall(SYS_pwrite64, file, bytes, size, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset)
{
	return pwrite64(file, bytes, size, offset);
}

int fsync(int file)
{
	(void)file;
	return fails(MAY_FAIL) ? -1 : 0;
}

int fdatasync(int file)
{
	return fsync(file);
}

int ftruncate64(int file, off_t size)
{
	return fails(MAY_FAIL) ? -1 : (int)syscall(SYS_ftruncate, file, size);
}

int ftruncate(int file, off_t size)
{
	return ftruncate64(file, size);
}

int rename(const char *from, const char *to)
{
	return fails(MAY_FAIL) ? -1 : (int)syscall(SYS_rename, from, to);
}

int unlink(const char *path)
{
	fails(CANNOT_FAIL);
	return (int)syscall(SYS_unlink, path);
}

int fchmod(int file, mode_t mode)
{
	return fails(MAY_FAIL_FULL) ? -1 : (int)syscall(SYS_fchmod, file, mode);
}

int fchown(int file, uid_t owner, gid_t group)
{
	return fails(MAY_FAIL_FULL) ? -1 : (int)syscall(SYS_fchown, file, owner, group);
}

/* Closed whatever it says, as Linux does it. */
int close(int file)
{
	bool is_failed = false;
	int status, why;

	if (file >= 0 && file < FILES_MOST && faults.is_written[file]) {
		faults.is_written[file] = false;
		is_failed = fails(MAY_FAIL);
	}
	why = errno;
	status = (int)syscall(SYS_close, file);
	if (is_failed)
		errno = why;
	return is_failed ? -1 : status;
}
