/*
 * Opening files whose names come from somebody else. Any thread.
 */
#ifndef STREAMTRACE_REGULAR_FILE_H
#define STREAMTRACE_REGULAR_FILE_H

#include <stdbool.h>

/* A descriptor to read the file, which the caller closes; -1: it cannot be read, or is a folder, a
 * device or a pipe, which would wait for its writer. */
int regular_file_open(const char *path);

/* Whether both paths lead to one file, or device. */
bool is_same_file(const char *a, const char *b);

#endif
