#include "store/file.h"

#include "store/own_files.h"
#include "store/wal_index.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The database file as SQLite opened it; one at a time. */
static struct {
	int file;
	struct stat status; /* at its creation */
} opened = {.file = -1};

/* A file without a name on the trace's disk, whose room is given back when the disk is full; -1:
 * none. */
static int reserve = -1;

#define MOST_NAMES 10000 /* for one path */

/* Room for two rows of `losses` and the end, each in a commit of at most 3 pages of 4 KB; twice. */
#define RESERVE_BYTES ((off_t)72 << 10)

/* 'STRC' as SQLite's application id: the file is ours, and may be replaced. */
static bool is_trace_or_empty(int file)
{
	char header[72];
	struct stat status;
	ssize_t size = pread(file, header, sizeof(header), 0);

	/* /dev/null reads as empty, too. */
	if (fstat(file, &status) || !S_ISREG(status.st_mode))
		return false;
	return size == 0 || (size == sizeof(header) && !memcmp(header, "SQLite format 3", 16) &&
			     !memcmp(header + 68, "STRC", 4));
}

/* An open connection in WAL mode holds a shared lock on SQLite's lock bytes. */
static bool is_being_written(int file)
{
	struct flock lock = {.l_type = F_WRLCK, .l_start = 0x40000000, .l_len = 512};

	return !fcntl(file, F_GETLK, &lock) && lock.l_type != F_UNLCK;
}

/* If the file system has no birth times, the time of the last write. */
static int64_t birth_ns(int file)
{
	struct statx status;
	const struct statx_timestamp *time = &status.stx_ctime;

	if (statx(file, "", AT_EMPTY_PATH, STATX_BTIME | STATX_CTIME, &status))
		return INT64_MAX;
	if (status.stx_mask & STATX_BTIME)
		time = &status.stx_btime;
	return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

/* NAME_CLOSED: what is there cannot be opened; errno has the reason, as with NAME_FAILED. */
enum name_state { NAME_FREE, NAME_TAKEN, NAME_FOREIGN, NAME_CLOSED, NAME_CHANGED, NAME_FAILED };

static bool remove_with_log(const char *path)
{
	static const char *const endings[] = {"-wal", "-shm"};
	char beside[PATH_MAX + 8];

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		snprintf(beside, sizeof(beside), "%s%s", path, endings[i]);
		unlink(beside);
	}
	return !unlink(path);
}

/* Removes the old trace behind `file`, under a lock: of two processes that both do so, the second
 * would remove the first one's new trace. */
static enum name_state remove_old(const char *path, int file)
{
	struct stat there, here;

	if (flock(file, LOCK_EX | LOCK_NB))
		return NAME_TAKEN;
	if (lstat(path, &there) || fstat(file, &here) || there.st_ino != here.st_ino ||
	    there.st_dev != here.st_dev)
		return NAME_CHANGED;
	return remove_with_log(path) ? NAME_FREE : NAME_FAILED;
}

/* Makes the name free if that is allowed. */
static enum name_state clear_name(const char *path, int64_t since_ns)
{
	int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK), saved_errno;
	enum name_state state = NAME_FOREIGN;

	if (file < 0)
		return errno == ENOENT				   ? NAME_FREE
		       : errno == ENAMETOOLONG || errno == ENOTDIR ? NAME_FAILED
		       : errno == ELOOP || errno == ENXIO	   ? NAME_FOREIGN /* symbolic link,
										   * socket */
								   : NAME_CLOSED;
	if (is_trace_or_empty(file))
		state = is_being_written(file) || birth_ns(file) >= since_ns
				? NAME_TAKEN
				: remove_old(path, file);
	saved_errno = errno;
	close(file);
	errno = saved_errno;
	return state;
}

static enum name_state create_at(const char *path, int64_t since_ns)
{
	enum name_state state;
	int file;

	do {
		state = clear_name(path, since_ns);
		if (state != NAME_FREE)
			continue;
		file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (file >= 0) {
			/* SQLite will open it again, whatever the program's umask. */
			fchmod(file, 0600);
			fstat(file, &opened.status);
			close(file);
			return NAME_FREE;
		}
		state = errno == EEXIST ? NAME_CHANGED : NAME_FAILED;
	} while (state == NAME_CHANGED);
	return state;
}

/* trace.db, trace.2.db, ... False: the name is too long. */
static bool number_path(char *numbered, size_t size, const char *path, int number)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');
	int stem = dot && dot > base ? (int)(dot - path) : (int)strlen(path);

	if (number == 1)
		return snprintf(numbered, size, "%s", path) < (int)size;
	return snprintf(numbered, size, "%.*s.%d%s", stem, path, number, path + stem) < (int)size;
}

bool store_file_create(char *path, size_t size, int64_t since_ns, char *error, size_t error_size)
{
	enum name_state state = NAME_TAKEN;
	char numbered[PATH_MAX];
	int number = 0;

	while (++number <= MOST_NAMES && number_path(numbered, sizeof(numbered), path, number)) {
		state = create_at(numbered, since_ns);
		if (state == NAME_FREE || state == NAME_FAILED ||
		    ((state == NAME_FOREIGN || state == NAME_CLOSED) && number == 1))
			break;
	}
	if (state == NAME_FREE && snprintf(path, size, "%s", numbered) < (int)size)
		return true;
	if (state == NAME_FAILED || state == NAME_CLOSED)
		snprintf(error, error_size, "cannot create %s: %s", numbered,
			 strerrordesc_np(errno));
	else if (state == NAME_FOREIGN)
		snprintf(error, error_size, "%s exists and is not a trace: not overwritten", path);
	else
		snprintf(error, error_size, "%s exists, and so do all its numbered names", path);
	return false;
}

/* Whether it is the file created by us: the name may lead elsewhere by now. */
static bool is_created(int file)
{
	struct stat now;

	return !fstat(file, &now) && now.st_dev == opened.status.st_dev &&
	       now.st_ino == opened.status.st_ino;
}

static int open_file(const char *path, int flags, int mode)
{
	int file = open(path, flags | O_CLOEXEC, mode);
	struct stat status;

	/* The first file opened is the database. */
	if (file >= 0 && opened.file < 0 && !is_created(file)) {
		close(file);
		errno = ELOOP;
		return -1;
	}
	if (file >= 0)
		file = stat(path, &status) ? -1 : own_files_move_up(file, &status);
	if (opened.file < 0)
		opened.file = file;
	return file;
}

void store_file_initialize(sqlite3_vfs *vfs)
{
	if (!vfs || vfs->iVersion < 3)
		return;
	vfs->xSetSystemCall(vfs, "open", (sqlite3_syscall_ptr)open_file);
	own_files_initialize(vfs);
	wal_index_initialize(vfs);
}

void store_file_remove(const char *path)
{
	remove_with_log(path);
}

void store_file_reserve(const char *path)
{
	char folder[PATH_MAX];
	struct stat status;
	int file;

	snprintf(folder, sizeof(folder), "%s", path);
	*strrchr(folder, '/') = '\0';
	file = open(*folder ? folder : "/", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	/* A file with a name is the program's, which has taken over the number. */
	if (file < 0 || fstat(file, &status) || status.st_nlink)
		return;
	reserve = own_files_move_up(file, &status);
	if (own_files_has(reserve) && fallocate(reserve, 0, 0, RESERVE_BYTES))
		store_file_give_room(true); /* what fallocate() got before it failed */
}

/* Frees the room itself: closing would not, if a forked child has the file open. */
void store_file_give_room(bool all)
{
	int saved_errno = errno;

	if (own_files_has(reserve) && ftruncate(reserve, all ? 0 : RESERVE_BYTES / 2))
		errno = saved_errno;
}

bool store_file_is_gone(void)
{
	return !own_files_has(opened.file);
}

void store_file_close(void)
{
	own_files_close(reserve);
	opened.file = reserve = -1;
}

void store_file_after_fork(void)
{
	opened.file = -1;
	reserve = -1;
	wal_index_after_fork();
	own_files_after_fork();
}
