#include "store/own_files.h"

#include "base/high_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_FILES 8 /* 5 are open at once: database, log, index, /dev/urandom, file.c's reserve */

static struct own_file {
	bool is_open;
	int file;
	struct stat status;
} own_files[MOST_FILES];

static struct own_file *find_own_file(int file)
{
	for (int i = 0; i < MOST_FILES; i++)
		if (own_files[i].is_open && own_files[i].file == file)
			return &own_files[i];
	return NULL;
}

static bool is_same(int file, const struct stat *status)
{
	struct stat now;

	return !fstat(file, &now) && now.st_dev == status->st_dev && now.st_ino == status->st_ino;
}

bool own_files_has(int file)
{
	const struct own_file *own = find_own_file(file);

	return own && is_same(file, &own->status);
}

static void note_own_file(int file, const struct stat *status)
{
	for (int i = 0; i < MOST_FILES; i++)
		if (!own_files[i].is_open) {
			own_files[i] = (struct own_file){true, file, *status};
			return;
		}
}

int own_files_move_up(int file, const struct stat *status)
{
	const int high = high_file(file);

	/* The low number may belong to the program by now. */
	if (!is_same(high < 0 ? file : high, status)) {
		if (high >= 0)
			close(high);
		errno = EBADF;
		return -1;
	}
	if (high >= 0 && is_same(file, status))
		close(file);
	note_own_file(high < 0 ? file : high, status);
	return high < 0 ? file : high;
}

void own_files_after_fork(void)
{
	memset(own_files, 0, sizeof(own_files));
}

/* False, with errno: the number is no longer ours. */
static bool check_own_file(int file)
{
	if (own_files_has(file))
		return true;
	errno = EBADF;
	return false;
}

static ssize_t write_own(int file, const void *bytes, size_t size)
{
	return check_own_file(file) ? write(file, bytes, size) : -1;
}

static ssize_t pwrite_own(int file, const void *bytes, size_t size, off_t offset)
{
	return check_own_file(file) ? pwrite(file, bytes, size, offset) : -1;
}

static int ftruncate_own(int file, off_t size)
{
	return check_own_file(file) ? ftruncate(file, size) : -1;
}

static int close_own(int file)
{
	struct own_file *own = find_own_file(file);
	const bool is_ours = own_files_has(file);

	if (own)
		own->is_open = false;
	return is_ours ? close(file) : 0;
}

void own_files_close(int file)
{
	close_own(file);
}

void own_files_initialize(sqlite3_vfs *vfs)
{
	static const struct {
		const char *name;
		sqlite3_syscall_ptr function;
	} calls[] = {
		{"write", (sqlite3_syscall_ptr)write_own},
		{"pwrite", (sqlite3_syscall_ptr)pwrite_own},
		{"pwrite64", (sqlite3_syscall_ptr)pwrite_own},
		{"ftruncate", (sqlite3_syscall_ptr)ftruncate_own},
		{"close", (sqlite3_syscall_ptr)close_own},
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		vfs->xSetSystemCall(vfs, calls[i].name, calls[i].function);
}
