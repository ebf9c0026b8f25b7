#include "trace/source_files.h"

#include "base/folders.h"
#include "base/memory.h"
#include "base/regular_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of the file that is open, so that no link can be changed meanwhile. */
static bool is_allowed(const struct trace *trace, int descriptor)
{
	const char *folders = trace->source_folders;
	char link[32], path[PATH_MAX];
	ssize_t bytes;

	if (!folders)
		return true;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
	bytes = readlink(link, path, sizeof(path));
	if (bytes <= 0 || bytes == sizeof(path))
		return false;
	path[bytes] = '\0';
	for (size_t length; *folders; folders += length + (folders[length] == '\n')) {
		length = strcspn(folders, "\n");
		if (folders_is_below(path, folders, length))
			return true;
	}
	return false;
}

static int open_short(const struct trace *trace, const char *path)
{
	int descriptor = regular_file_open(path);
	struct stat status;

	if (descriptor < 0)
		return -1;
	if (!fstat(descriptor, &status) && status.st_size <= SOURCE_FILE_MOST_BYTES &&
	    is_allowed(trace, descriptor))
		return descriptor;
	close(descriptor);
	return -1;
}

int source_file_open(const struct trace *trace, const char *file, char **path)
{
	const char *folder = trace_metadata(trace, "working_directory");
	int descriptor;

	if (*file != '/' && folder) {
		*path = memory_format("%s/%s", folder, file);
		descriptor = open_short(trace, *path);
		if (descriptor >= 0)
			return descriptor;
		free(*path);
	}
	*path = NULL;
	descriptor = open_short(trace, file);
	if (descriptor >= 0)
		*path = memory_format("%s", file);
	return descriptor;
}

/* When the trace began, in ns of CLOCK_REALTIME; 0: not known. */
static int64_t began_ns(const struct trace *trace)
{
	const char *text = trace_metadata(trace, "start_ns");

	return text ? strtoll(text, NULL, 10) : 0;
}

static enum source_age age_by_time(const struct trace *trace, int descriptor)
{
	int64_t start_ns = began_ns(trace);
	struct stat status;

	if (start_ns <= 0 || fstat(descriptor, &status))
		return SOURCE_UNKNOWN;
	return status.st_mtim.tv_sec > start_ns / 1000000000 ||
			       (status.st_mtim.tv_sec == start_ns / 1000000000 &&
				status.st_mtim.tv_nsec > start_ns % 1000000000)
		       ? SOURCE_CHANGED
		       : SOURCE_SAME;
}

static const struct trace_source_file *find_file(const struct trace *trace, const char *file)
{
	for (size_t i = 0; i < trace->source_file_count; i++)
		if (!strcmp(trace->source_files[i].file, file))
			return &trace->source_files[i];
	return NULL;
}

enum source_age source_file_age(const struct trace *trace, const char *file, int descriptor)
{
	const struct trace_source_file *known = find_file(trace, file);
	uint64_t hash;

	if (!known || !source_file_hash(descriptor, &hash))
		return age_by_time(trace, descriptor);
	return hash == known->hash ? SOURCE_SAME : SOURCE_CHANGED;
}

bool source_file_hash(int descriptor, uint64_t *hash)
{
	size_t size;
	char *text = source_file_text(descriptor, &size);

	*hash = 14695981039346656037u; /* FNV's offset basis, and its prime below */
	for (size_t i = 0; text && i < size; i++)
		*hash = (*hash ^ (unsigned char)text[i]) * 1099511628211u;
	free(text);
	return text != NULL;
}

char *source_file_text(int descriptor, size_t *size)
{
	char *text = memory_array(SOURCE_FILE_MOST_BYTES + 1, 1);
	ssize_t read_bytes = 1;

	*size = 0;
	while (*size < SOURCE_FILE_MOST_BYTES && read_bytes > 0) {
		read_bytes = pread(descriptor, text + *size, SOURCE_FILE_MOST_BYTES - *size,
				   (off_t)*size);
		*size += read_bytes > 0 ? (size_t)read_bytes : 0;
	}
	if (read_bytes < 0) {
		free(text);
		return NULL;
	}
	text[*size] = '\0';
	return memory_shrink(text, *size + 1, 1);
}
