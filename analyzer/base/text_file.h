/*
 * Reads text files that a user named: files, or pipes such as <(...). Any thread; may block on a
 * pipe.
 */
#ifndef STREAMTRACE_TEXT_FILE_H
#define STREAMTRACE_TEXT_FILE_H

#include <stddef.h>

/* Returns the whole file with a 0 appended, which the caller must free(), and in *size its bytes
 * without the 0. NULL: it cannot be read, or has more than most_bytes. *error is then the reason,
 * without the path, which the caller must free(); otherwise *error is NULL. */
char *text_file_read(const char *path, size_t most_bytes, size_t *size, char **error);

#endif
