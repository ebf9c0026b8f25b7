/*
 * The name of a trace inside a folder, if the output name is one: the fields are in
 * output_name.def.
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
