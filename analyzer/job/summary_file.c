/* Summaries in files. */
#include "base/output.h"
#include "base/regular_file.h"
#include "job/summary.h"
#include "trace/file_kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is larger is not ours: a summary is below 1 MB, and what later versions add is not many times as much. */
#define MOST_BYTES (16 << 20)

#define SUMMARY_MODE 0644

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

int summary_write(const struct summary *summary, const char *path, char **error)
{
	size_t size;
	char *bytes = summary_to_bytes(summary, &size, error);
	struct output *output = bytes ? output_open(path, SUMMARY_MODE, error) : NULL;
	bool ok = output;

	if (output) {
		fwrite(bytes, 1, size, output_stream(output));
		ok = output_close(output, error);
	}
	free(bytes);
	return ok ? 0 : -1;
}
