#include "base/output.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#define LINKS_MOST	40 /* as many as Linux follows */
#define UNFINISHED_MOST 4

struct output {
	FILE *stream;
	int file;
	int error;	     /* errno of the first write that failed; 0: none */
	char *target;	     /* the path with links followed */
	char *unfinished;    /* NULL: the target is written directly */
	struct notice *said; /* NULL: no room in notices */
};

/* Unfinished files, for the signal handler. */
static struct notice {
	atomic_int process; /* the process that writes it; 0: none */
	char path[PATH_MAX];
} notices[UNFINISHED_MOST];

/* Also runs at exit(). A forked child leaves its parent's files. */
__attribute__((destructor)) static void remove_unfinished(void)
{
	for (size_t i = 0; i < UNFINISHED_MOST; i++)
		if (atomic_load(&notices[i].process) == getpid())
			unlink(notices[i].path);
}

static void end_by_signal(int number)
{
	remove_unfinished();
	signal(number, SIG_DFL);
	raise(number);
}

/* Signals that are ignored or handled by others stay as they are. */
static void handle_signals(void)
{
	static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
	const struct sigaction ending = {.sa_handler = end_by_signal};
	struct sigaction before;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!sigaction(numbers[i], NULL, &before) && before.sa_handler == SIG_DFL)
			sigaction(numbers[i], &ending, NULL);
}

static void give_notice(struct output *output)
{
	for (size_t i = 0; i < UNFINISHED_MOST; i++) {
		struct notice *notice = &notices[i];

		if (atomic_load(&notice->process) == getpid() ||
		    strlen(output->unfinished) >= sizeof(notice->path))
			continue;
		strcpy(notice->path, output->unfinished);
		atomic_store(&notice->process, getpid());
		output->said = notice;
		return;
	}
}

static void take_notice_back(struct output *output)
{
	if (output->said)
		atomic_store(&output->said->process, 0);
	output->said = NULL;
}

/* Length of the path's folder, with its slash. */
static int folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash - path + 1) : 0;
}

/* Links in /proc lead to open files, whatever their text is. */
static bool is_of_proc(const char *path)
{
	char *folder = memory_format("%.*s.", folder_length(path), path);
	struct statfs status;
	bool is_proc = !statfs(folder, &status) && status.f_type == PROC_SUPER_MAGIC;

	free(folder);
	return is_proc;
}

char *output_target(const char *path)
{
	char link[PATH_MAX], *here = memory_format("%s", path), *next;
	struct stat status;

	/* A link that the system refuses to follow (protected_symlinks in proc_sys_fs(5)) is not
	 * followed. */
	if (!stat(path, &status) || errno == ENOENT) {
		for (int i = 0; i < LINKS_MOST; i++) {
			ssize_t size =
				is_of_proc(here) ? -1 : readlink(here, link, sizeof(link) - 1);

			if (size < 0)
				return here;
			link[size] = '\0';
			next = memory_format("%.*s%s", *link == '/' ? 0 : folder_length(here), here,
					     link);
			free(here);
			here = next;
		}
		errno = ELOOP;
	}
	free(here);
	return NULL;
}

/* Writes all bytes: stdio gives up when a write is interrupted. */
static ssize_t write_bytes(void *context, const char *bytes, size_t size)
{
	struct output *output = context;
	size_t done = 0;

	while (done < size) {
		ssize_t more = write(output->file, bytes + done, size - done);

		if (more > 0) {
			done += (size_t)more;
		} else if (!more || errno != EINTR) {
			output->error = output->error ? output->error : more ? errno : EIO;
			return 0;
		}
	}
	return (ssize_t)size;
}

/* A duplicate of the descriptor that path stands for, if it is this process's; -1: none. */
static int duplicate_descriptor(const char *path)
{
	char *end;
	long number = strtol(path + folder_length(path), &end, 10);
	struct stat a, b;

	if (*end || number < 0 || number > INT_MAX || fstat((int)number, &a) || stat(path, &b) ||
	    a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return -1;
	return fcntl((int)number, F_DUPFD_CLOEXEC, 0);
}

static int open_straight(const char *path)
{
	int file = is_of_proc(path) ? duplicate_descriptor(path) : -1;

	return file >= 0 ? file : open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
}

/* Copies the old file's owner and mode; if the group differs, it gets no more rights. */
static void keep_rights(int file, const struct stat *old)
{
	mode_t mode = old->st_mode & 07777;

	if (fchown(file, old->st_uid, old->st_gid) && fchown(file, (uid_t)-1, old->st_gid))
		mode &= ~(mode_t)(S_IRWXG | S_ISGID | S_ISUID);
	(void)fchmod(file, mode);
}

/* -1: failed, with errno. */
static int create_unfinished(struct output *output, mode_t mode)
{
	int length = folder_length(output->target), file;
	uint64_t number;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return -1;
	output->unfinished =
		memory_format("%.*s.streamtrace-%016" PRIx64, length, output->target, number);
	give_notice(output);
	do
		file = open(output->unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	while (file < 0 && errno == EINTR);
	if (file >= 0)
		return file;
	take_notice_back(output);
	free(output->unfinished);
	output->unfinished = NULL;
	return -1;
}

/* Returns an errno for what forbids writing the file; 0: nothing. *old: the old file's status, if
 * *is_there. */
static int find_obstacle(const char *target, struct stat *old, bool *is_there)
{
	*is_there = !stat(target, old);
	if (!*target)
		return ENOENT;
	if (!target[folder_length(target)] || (*is_there && S_ISDIR(old->st_mode)))
		return EISDIR;
	if (*is_there && faccessat(AT_FDCWD, target, W_OK, AT_EACCESS))
		return errno;
	return 0;
}

static bool open_file(struct output *output, mode_t mode, char **error)
{
	struct stat old;
	bool is_there;
	int obstacle = find_obstacle(output->target, &old, &is_there);

	if (obstacle) {
		*error = memory_format("%s", strerror(obstacle));
		return false;
	}
	if (is_there && (!S_ISREG(old.st_mode) || is_of_proc(output->target))) {
		output->file = open_straight(output->target);
	} else {
		output->file = create_unfinished(output, is_there ? 0600 : mode);
		if (output->file >= 0 && is_there)
			keep_rights(output->file, &old);
		else if (is_there && (errno == EACCES || errno == EROFS))
			*error =
				memory_format("cannot be replaced, for its folder is not writable");
	}
	if (output->file < 0 && !*error)
		*error = memory_format("%s", strerror(errno));
	return output->file >= 0;
}

static void output_free(struct output *output)
{
	if (output->stream)
		fclose(output->stream);
	if (output->file >= 0)
		close(output->file);
	take_notice_back(output);
	free(output->unfinished);
	free(output->target);
	free(output);
}

struct output *output_open(const char *path, mode_t mode, char **error)
{
	struct output *output = memory_array(1, sizeof(*output));

	handle_signals();
	output->file = -1;
	output->target = output_target(path);
	if (!output->target)
		*error = memory_format("%s", strerror(errno));
	else if (open_file(output, mode, error))
		output->stream =
			fopencookie(output, "w", (cookie_io_functions_t){.write = write_bytes});
	if (output->stream)
		return output;
	if (!*error)
		*error = memory_format("%s", strerror(errno));
	output_drop(output);
	return NULL;
}

FILE *output_stream(struct output *output)
{
	return output->stream;
}

const char *output_unfinished(const struct output *output)
{
	return output->unfinished;
}

/* File systems that cannot flush decide themselves when to write. */
static bool flush_to_disk(int file)
{
	int status;

	do
		status = fsync(file);
	while (status && errno == EINTR);
	return !status || errno == EINVAL || errno == ENOSYS;
}

static bool replace_target(const char *unfinished, const char *target)
{
	int status;

	do
		status = rename(unfinished, target);
	while (status && errno == EINTR);
	return !status;
}

/* Sets output->error if it fails. */
static bool finish_stream(struct output *output)
{
	bool ok = !ferror(output->stream);

	errno = 0;
	ok = !fclose(output->stream) && ok;
	output->stream = NULL;
	if (!ok && !output->error)
		output->error = errno;
	return ok;
}

/* False: failed, with errno. close() closes the file even if it was interrupted. */
static bool finish_file(struct output *output)
{
	int file = output->file;

	if (output->unfinished && !flush_to_disk(file))
		return false;
	output->file = -1;
	if (close(file) && errno != EINTR)
		return false;
	return !output->unfinished || replace_target(output->unfinished, output->target);
}

bool output_close(struct output *output, char **error)
{
	bool ok = finish_stream(output);

	if (ok && !finish_file(output)) {
		output->error = errno;
		ok = false;
	}
	if (ok) {
		output_free(output);
		return true;
	}
	*error = memory_format("%s",
			       output->error ? strerror(output->error) : "could not be written");
	output_drop(output);
	return false;
}

void output_drop(struct output *output)
{
	if (!output)
		return;
	if (output->unfinished)
		unlink(output->unfinished);
	output_free(output);
}
