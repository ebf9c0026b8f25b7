#include "commands/scratch_folder.h"

#include "base/memory.h"
#include "commands/command.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *scratch_folder_make(void)
{
	const char *above = getenv("TMPDIR");
	char *path = memory_format("%s/streamtrace.XXXXXX", above && *above ? above : "/tmp");

	if (mkdtemp(path))
		return path;
	command_fail(EXIT_UNREADABLE, "%s: %s", path, strerror(errno));
	free(path);
	return NULL;
}

void scratch_folder_remove(char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		closedir(folder);
	rmdir(path);
	free(path);
}
