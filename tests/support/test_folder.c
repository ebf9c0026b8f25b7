#include "test_folder.h"

#include "build_trace.h"

#include <stdio.h>
#include <stdlib.h>

char *folder, path[256];

int test_folder_set_up(void **state)
{
	folder = make_folder();
	snprintf(path, sizeof(path), "%s/trace.db", folder);
	return 0;
}

int test_folder_tear_down(void **state)
{
	remove_folder(folder);
	free(folder);
	return 0;
}
