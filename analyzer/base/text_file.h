/*
 * Text files that a user named: files, or pipes as of <(...). Any thread.
 */
#ifndef STREAMTRACE_TEXT_FILE_H
#define STREAMTRACE_TEXT_FILE_H

#include <stddef.h>

/* All of the file with a 0 behind it, malloc'ed, and its size without that. NULL: *error says why, malloc'ed,
 * without the path: what has more than most_bytes, as a device may without end, is not read on. */
char *text_file_read(const char *path, size_t most_bytes, size_t *size, char **error);

#endif
