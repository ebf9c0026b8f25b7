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
