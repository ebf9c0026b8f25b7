#include "commands/overwriting.h"

#include "base/regular_file.h"
#include "commands/command.h"
#include "facts/format.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ID_OFFSET 68 /* application_id; https://sqlite.org/fileformat.html, 1.3 */

static bool is_ours(const char *file)
{
	char header[ID_OFFSET + 4];
	int opened = regular_file_open(file);
	bool is_whole = opened >= 0 && pread(opened, header, sizeof(header), 0) == sizeof(header);

	if (opened >= 0)
		close(opened);
	return is_whole && !memcmp(header, "SQLite format 3", 16) &&
	       (!memcmp(header + ID_OFFSET, FORMAT_APPLICATION_BYTES, 4) ||
		!memcmp(header + ID_OFFSET, FORMAT_SUMMARY_BYTES, 4));
}

bool overwrites_trace(const char *file, char *const *paths, size_t count)
{
	struct stat status, trace;

	if (stat(file, &status))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!stat(paths[i], &trace) && trace.st_dev == status.st_dev &&
		    trace.st_ino == status.st_ino)
			return true;
	return is_ours(file);
}

int overwriting_open_report(const char *file, char *const *paths, size_t count)
{
	if (file && overwrites_trace(file, paths, count))
		return command_fail(EXIT_USAGE, "%s: is a trace: the report would replace it",
				    file);
	if (file && !freopen(file, "w", stdout))
		return command_fail(EXIT_UNREADABLE, "%s: %s", file, strerror(errno));
	return EXIT_FINE;
}
