/*
 * Opens files whose names were chosen by strangers. Any thread.
 */
#ifndef STREAMTRACE_REGULAR_FILE_H
#define STREAMTRACE_REGULAR_FILE_H

#include <stdbool.h>

/* Opens the file for reading; the caller must close the descriptor. -1: unreadable, or a folder, a
 * device or a pipe, which could block. */
int regular_file_open(const char *path);

/* Whether both paths lead to the same file or device. */
bool is_same_file(const char *a, const char *b);

#endif
