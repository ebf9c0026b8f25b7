/*
 * Reads text files that a user named: files, or pipes as of <(...). Any thread.
 */
#ifndef STREAMTRACE_TEXT_FILE_H
#define STREAMTRACE_TEXT_FILE_H

#include <stddef.h>

/* Returns the whole file with a 0 appended, to be freed, and in *size its size without the 0. NULL:
 * failed, or more than most_bytes (a device may be endless); *error is the reason without the path,
 * to be freed. */
char *text_file_read(const char *path, size_t most_bytes, size_t *size, char **error);

#endif
