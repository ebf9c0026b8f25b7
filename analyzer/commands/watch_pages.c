#include "commands/watch_pages.h"

#include "base/memory.h"
#include "base/printable.h"
#include "base/vector.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	/* A page that is just being written is whole a moment later. */
	TRIES = 10,
	TRY_NS = 1000000,
	/* A page that is older than this belongs to a program that has ended, where the process cannot be asked. */
	SILENT_NS_OF_PERIOD = 20, /* times WATCH_PAGE_PERIOD_MS */
	PROC_PATH_BYTES = 64,
	STAT_BYTES = 1024,
	START_FIELD = 22, /* of /proc/PID/stat */
};

static bool has_suffix(const char *name, const char *suffix)
{
	const size_t length = strlen(name), end = strlen(suffix);

	return length > end && !strcmp(name + length - end, suffix);
}

/* Ends the text, and makes it safe to print. */
static void make_text(char *text, size_t size)
{
	text[size - 1] = '\0';
	printable_make(text);
}

static void make_texts(struct watch_page *page)
{
	make_text(page->program, sizeof(page->program));
	make_text(page->host, sizeof(page->host));
	make_text(page->rank, sizeof(page->rank));
	make_text(page->incident, sizeof(page->incident));
	make_text(page->cause, sizeof(page->cause));
	make_text(page->error, sizeof(page->error));
}

/* Times that can be subtracted from each other. */
static bool has_good_times(const struct watch_page *page)
{
	const int64_t times[] = {page->began_ns,    page->updated_ns,	page->tool_ns,
				 page->step_ns,	    page->longest_ns,	page->median_ns,
				 page->incident_ns, page->step_began_ns};

	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		if (times[i] < 0)
			return false;
	return true;
}

/* Of a regular file: a pipe would make this wait. */
static bool read_page(const char *path, struct watch_page *page)
{
	const struct timespec pause = {0, TRY_NS};
	const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	bool is_whole = false;

	if (file < 0)
		return false;
	if (!fstat(file, &status) && S_ISREG(status.st_mode))
		for (int i = 0; i < TRIES && !is_whole; i++) {
			if (i)
				nanosleep(&pause, NULL);
			is_whole = pread(file, page, sizeof(*page), 0) == (ssize_t)sizeof(*page) &&
				   page->version == WATCH_PAGE_VERSION &&
				   page->size == sizeof(*page) && page->begun == page->ended &&
				   page->pid > 0 && has_good_times(page);
		}
	close(file);
	if (is_whole)
		make_texts(page);
	return is_whole;
}

/* When the process started, and that it is no zombie. False: there is none. */
static bool read_start(int pid, uint64_t *start)
{
	char path[PROC_PATH_BYTES], text[STAT_BYTES], *next;
	ssize_t size;
	int file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = open(path, O_RDONLY | O_CLOEXEC);
	size = file < 0 ? -1 : read(file, text, sizeof(text) - 1);
	if (file >= 0)
		close(file);
	if (size <= 0)
		return false;
	text[size] = '\0';
	next = strrchr(text, ')'); /* behind it is field 3 */
	if (!next || !next[1] || next[2] == 'Z' || next[2] == 'X')
		return false;
	for (int field = 2; field < START_FIELD && next; field++)
		next = strchr(next + 1, ' ');
	*start = next ? strtoull(next, NULL, 10) : 0;
	return next != NULL;
}

static bool is_here(const struct watch_page *page)
{
	char host[HOST_NAME_MAX + 1] = "";

	gethostname(host, sizeof(host) - 1);
	return !strncmp(host, page->host, sizeof(page->host) - 1);
}

static bool is_alive(const struct watch_page *page)
{
	const int64_t silent_ns = (int64_t)SILENT_NS_OF_PERIOD * WATCH_PAGE_PERIOD_MS * 1000000;
	struct timespec now;
	uint64_t start;

	if (is_here(page))
		return read_start(page->pid, &start) && start == page->process_start;
	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - page->updated_ns < silent_ns;
}

bool watch_pages_is_pid(const char *operand, int *pid)
{
	struct stat status;
	char *end;
	long number;

	errno = 0;
	number = strtol(operand, &end, 10);
	if (errno || end == operand || *end || number <= 0 || number > INT_MAX ||
	    !stat(operand, &status))
		return false;
	*pid = (int)number;
	return true;
}

static int compare_programs(const void *a, const void *b)
{
	const struct watch_page *x = &((const struct watched_program *)a)->page;
	const struct watch_page *y = &((const struct watched_program *)b)->page;
	const int order = strverscmp(x->rank, y->rank);

	if (order)
		return order;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

bool watch_pages_in_folder(const char *folder, struct watched_programs *programs)
{
	VECTOR(struct watched_program) found = {0};
	DIR *opened = opendir(folder);
	struct dirent *entry;

	*programs = (struct watched_programs){0};
	if (!opened)
		return false;
	while ((entry = readdir(opened))) {
		struct watched_program program = {0};

		if (!has_suffix(entry->d_name, WATCH_PAGE_SUFFIX))
			continue;
		program.path = memory_format("%s/%s", folder, entry->d_name);
		if (read_page(program.path, &program.page)) {
			program.is_alive = is_alive(&program.page);
			*vector_add(&found) = program;
		} else {
			free(program.path);
		}
	}
	closedir(opened);
	vector_sort(&found, compare_programs);
	vector_move(&found, programs->items, programs->count);
	return true;
}

/* A process in a container has another root. malloc'ed; NULL: the page cannot be read. */
static char *reach_page(int pid, const char *link, struct watch_page *page)
{
	char *path = memory_format("%s", link);

	if (read_page(path, page) && page->pid == pid)
		return path;
	free(path);
	path = memory_format("/proc/%d/root%s", pid, link);
	if (read_page(path, page))
		return path;
	free(path);
	return NULL;
}

static char *find_page(int pid, DIR *descriptors, struct watch_page *page)
{
	struct dirent *entry;
	char link[PATH_MAX], *path = NULL;

	while (!path && (entry = readdir(descriptors))) {
		const ssize_t length =
			readlinkat(dirfd(descriptors), entry->d_name, link, sizeof(link) - 1);

		if (length <= 0)
			continue;
		link[length] = '\0';
		if (has_suffix(link, WATCH_PAGE_SUFFIX))
			path = reach_page(pid, link, page);
	}
	return path;
}

struct watched_program watch_pages_of_process(int pid, char **error)
{
	struct watched_program program = {.is_alive = true};
	char folder[PROC_PATH_BYTES];
	DIR *descriptors;

	*error = NULL;
	if (kill(pid, 0) && errno == ESRCH) {
		*error = memory_format("%d: no such process", pid);
		return program;
	}
	snprintf(folder, sizeof(folder), "/proc/%d/fd", pid);
	descriptors = opendir(folder);
	if (!descriptors) {
		*error = memory_format("%d: cannot be looked at: %s", pid, strerror(errno));
		return program;
	}
	program.path = find_page(pid, descriptors, &program.page);
	closedir(descriptors);
	if (!program.path)
		*error = memory_format("%d: is not in watch mode (streamtrace run --watch)", pid);
	return program;
}

bool watch_pages_renew(struct watched_program *program)
{
	const uint64_t start = program->page.process_start;

	if (!read_page(program->path, &program->page) || program->page.process_start != start)
		return false;
	program->is_alive = is_alive(&program->page);
	return true;
}

char *watch_pages_beside(const struct watched_program *program, const char *suffix)
{
	const int stem = (int)(strlen(program->path) - strlen(WATCH_PAGE_SUFFIX));

	return memory_format("%.*s%s", stem, program->path, suffix);
}

void watch_pages_free(struct watched_programs *programs)
{
	for (size_t i = 0; i < programs->count; i++)
		free(programs->items[i].path);
	free(programs->items);
	*programs = (struct watched_programs){0};
}
