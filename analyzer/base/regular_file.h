/*
 * Opens files whose names were chosen by strangers. Any thread.
 */
#ifndef STREAMTRACE_REGULAR_FILE_H
#define STREAMTRACE_REGULAR_FILE_H

#include <stdbool.h>

/* Opens the file for reading, and returns the descriptor, which the caller must close(). -1: the
 * file cannot be read, or is a folder, a device or a pipe. Never blocks. */
int regular_file_open(const char *path);

/* Whether both paths lead to the same file or device, through links too. False if either does not
 * exist. */
bool is_same_file(const char *a, const char *b);

#endif
