#include "watch/page_file.h"

#include "base/high_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_MOST 10000
#define ENDING	   ".db"

static struct {
	char stem[PATH_MAX]; /* of all names */
	int file;
	struct stat status;
	bool is_open;
} page_file;

/* Field 22 of /proc/PID/stat; 0: there is no such process. The second field can have blanks and parentheses. */
static uint64_t process_start(int pid)
{
	char path[48], text[512];
	const char *at;
	ssize_t bytes;
	int file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return 0;
	bytes = read(file, text, sizeof(text) - 1);
	close(file);
	text[bytes > 0 ? bytes : 0] = '\0';
	at = strrchr(text, ')');
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

/* On a disk that several hosts share another host's process cannot be looked for. */
static bool is_of_this_host(const struct watch_page *page)
{
	char host[sizeof(page->host)] = "";

	gethostname(host, sizeof(host) - 1);
	return !strncmp(page->host, host, sizeof(host));
}

/* Whether the file is the page of a process that has ended, or of this one before it became this program. */
static bool is_left_over(int file)
{
	struct watch_page page;
	struct stat status;

	if (fstat(file, &status) || !S_ISREG(status.st_mode) ||
	    pread(file, &page, sizeof(page), 0) != sizeof(page) ||
	    page.version != WATCH_PAGE_VERSION || page.size != sizeof(page))
		return false;
	return is_of_this_host(&page) &&
	       (page.pid == getpid() || process_start(page.pid) != page.process_start);
}

/* Under a lock, which a living process holds: also one of another container, whose number says nothing here. Of two
 * processes that remove an old file the second would remove the first one's new one. */
static bool remove_left_over(const char *path)
{
	const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat here, there;
	bool is_removed;

	if (file < 0)
		return false;
	is_removed = is_left_over(file) && !flock(file, LOCK_EX | LOCK_NB) && !fstat(file, &here) &&
		     !lstat(path, &there) && here.st_ino == there.st_ino && !unlink(path);
	close(file);
	return is_removed;
}

static bool print_path(char path[PATH_MAX], const char *suffix)
{
	return snprintf(path, PATH_MAX, "%s%s", page_file.stem, suffix) < PATH_MAX;
}

/* False with errno. EEXIST: somebody else's is there. */
static bool create_file(void)
{
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	char path[PATH_MAX];
	int file, high;

	errno = ENAMETOOLONG;
	if (!print_path(path, WATCH_PAGE_SUFFIX))
		return false;
	file = open(path, flags, 0600);
	if (file < 0 && errno == EEXIST && remove_left_over(path))
		file = open(path, flags, 0600);
	if (file < 0)
		return false;
	flock(file, LOCK_EX | LOCK_NB); /* as long as it is open; remove_left_over() */
	high = high_file(file);
	if (high >= 0)
		close(file);
	page_file.file = high >= 0 ? high : file;
	page_file.is_open = !fstat(page_file.file, &page_file.status);
	return true;
}

bool page_file_create(const char *output, char *error, size_t size)
{
	const size_t length = strlen(output), ending = strlen(ENDING);
	const int stem =
		(int)(length > ending && !strcmp(output + length - ending, ENDING) ? length - ending
										   : length);

	snprintf(page_file.stem, sizeof(page_file.stem), "%.*s", stem, output);
	for (int number = 2; number <= NAMES_MOST; number++) {
		if (create_file())
			return true;
		if (errno != EEXIST)
			break;
		snprintf(page_file.stem, sizeof(page_file.stem), "%.*s.%d", stem, output, number);
	}
	snprintf(error, size, "cannot create %s" WATCH_PAGE_SUFFIX ": %s", page_file.stem,
		 strerrordesc_np(errno));
	return false;
}

static bool is_ours(void)
{
	struct stat now;

	return page_file.is_open && !fstat(page_file.file, &now) &&
	       now.st_dev == page_file.status.st_dev && now.st_ino == page_file.status.st_ino;
}

void page_file_write(struct watch_page *page)
{
	page->version = WATCH_PAGE_VERSION;
	page->size = sizeof(*page);
	page->pid = getpid();
	if (!page->process_start)
		page->process_start = process_start(page->pid);
	page->ended = ++page->begun;
	if (!page_file.is_open)
		create_file();
	/* The next one tells, where this one fails. */
	if (is_ours() && pwrite(page_file.file, page, sizeof(*page), 0) < 0)
		errno = 0;
}

/* One with content is somebody's own. */
bool page_file_take_trigger(void)
{
	struct stat status;
	char path[PATH_MAX];

	return print_path(path, WATCH_TRIGGER_SUFFIX) && !lstat(path, &status) &&
	       S_ISREG(status.st_mode) && !status.st_size && !unlink(path);
}

bool page_file_incident_path(char path[PATH_MAX], unsigned *number)
{
	char suffix[48];
	struct stat status;

	for (;; ++*number) {
		snprintf(suffix, sizeof(suffix), WATCH_INCIDENT_INFIX "%u" ENDING, *number);
		if (!print_path(path, suffix))
			return false;
		if (lstat(path, &status) && errno == ENOENT)
			return true;
		if (*number == UINT32_MAX)
			return false;
	}
}

void page_file_folder(char folder[PATH_MAX])
{
	snprintf(folder, PATH_MAX, "%s", page_file.stem);
	*strrchr(folder, '/') = '\0';
	if (!*folder)
		strcpy(folder, "/");
}

void page_file_remove(void)
{
	char path[PATH_MAX];
	struct stat there;

	if (page_file.is_open && print_path(path, WATCH_PAGE_SUFFIX) && !lstat(path, &there) &&
	    there.st_ino == page_file.status.st_ino && there.st_dev == page_file.status.st_dev)
		unlink(path);
	if (is_ours())
		close(page_file.file);
	page_file.is_open = false;
}

void page_file_after_fork(void)
{
	memset(&page_file, 0, sizeof(page_file));
}
