/*
 * OUTPUT_NAME_IN_FOLDER is the name of a trace inside a folder, used if the output name is a
 * folder: if it ends in "/". output_name.def explains the % fields.
 */
#ifndef STREAMTRACE_OUTPUT_NAME_H
#define STREAMTRACE_OUTPUT_NAME_H

#include <stdbool.h>
#include <string.h>

#define OUTPUT_NAME_IN_FOLDER "%R.%n.%p.db"

static inline bool output_name_is_folder(const char *name)
{
	size_t length = strlen(name);

	return length && name[length - 1] == '/';
}

#endif
