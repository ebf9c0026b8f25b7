#include "base/folders.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void folders_make_above(const char *path, mode_t mode)
{
	char *folder = memory_format("%s", path);

	for (char *slash = folder + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(folder, mode);
		*slash = '/';
	}
	free(folder);
}

bool folders_is_below(const char *path, const char *folder, size_t length)
{
	if (!length || strncmp(path, folder, length) != 0)
		return false;
	return folder[length - 1] == '/' || path[length] == '/' || !path[length];
}
