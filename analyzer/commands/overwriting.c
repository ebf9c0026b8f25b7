#include "commands/overwriting.h"

#include "base/regular_file.h"
#include "commands/command.h"
#include "trace/file_kind.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool overwrites_trace(const char *file, char *const *paths, size_t count)
{
	enum file_kind kind;

	for (size_t i = 0; i < count; i++)
		if (is_same_file(file, paths[i]))
			return true;
	kind = file_kind_at(file);
	return kind == FILE_TRACE || kind == FILE_SUMMARY;
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
