/* Summaries in files. */
#include "job/summary.h"

#include "base/regular_file.h"
#include "trace/file_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is larger is not ours: a summary is below 1 MB, and what later versions add is not many times as much. */
#define MOST_BYTES (16 << 20)

/* Whether all of them were read. */
static bool read_all(int file, char *bytes, size_t size)
{
	size_t got = 0;

	while (got < size) {
		ssize_t more = pread(file, bytes + got, size - got, (off_t)got);

		if (more <= 0)
			return false;
		got += (size_t)more;
	}
	return true;
}

static char *read_file(const char *path, size_t *size, char **error)
{
	int file = regular_file_open(path);
	struct stat status;
	char *bytes = NULL;

	if (file < 0 || fstat(file, &status)) {
		*error = memory_format("cannot be read");
	} else if (status.st_size > MOST_BYTES) {
		*error = memory_format("is too large for a summary");
	} else {
		*size = (size_t)status.st_size;
		bytes = memory_array(*size + 1, 1);
		if (!read_all(file, bytes, *size)) {
			*error = memory_format("cannot be read");
			free(bytes);
			bytes = NULL;
		}
	}
	if (file >= 0)
		close(file);
	return bytes;
}

struct summary *summary_read(const char *path, char **error)
{
	size_t size = 0;
	char *bytes = read_file(path, &size, error);
	struct summary *summary = bytes ? summary_from_bytes(bytes, size, error) : NULL;

	free(bytes);
	return summary;
}

bool summary_is_at(const char *path)
{
	return file_kind_at(path) == FILE_SUMMARY;
}

/* Whether all of them are on the way to the file, which is closed. */
static bool write_all(int file, const char *bytes, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t more = write(file, bytes + done, size - done);

		if (more < 0 && errno != EINTR)
			break;
		done += more > 0 ? (size_t)more : 0;
	}
	return close(file) == 0 && done == size;
}

int summary_write(const struct summary *summary, const char *path, char **error)
{
	size_t size;
	char *bytes = summary_to_bytes(summary, &size, error);
	char *new_path = memory_format("%s.XXXXXX", path);
	int file;

	if (!bytes) {
		free(new_path);
		return -1;
	}
	file = mkostemp(new_path, O_CLOEXEC);
	if (file < 0 || fchmod(file, 0644) || !write_all(file, bytes, size) ||
	    rename(new_path, path)) {
		*error = memory_format("%s", strerror(errno));
		if (file >= 0)
			unlink(new_path);
	}
	free(new_path);
	free(bytes);
	return *error ? -1 : 0;
}
