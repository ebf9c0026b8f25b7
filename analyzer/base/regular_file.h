/*
 * Opening files whose names come from somebody else. Any thread.
 */
#ifndef STREAMTRACE_REGULAR_FILE_H
#define STREAMTRACE_REGULAR_FILE_H

/* A descriptor to read the file, which the caller closes; -1: it cannot be read, or is a folder, a
 * device or a pipe, which would wait for its writer. */
int regular_file_open(const char *path);

#endif
