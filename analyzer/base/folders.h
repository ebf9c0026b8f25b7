/* Folders: made, and what is below them. Any thread. */
#ifndef STREAMTRACE_FOLDERS_H
#define STREAMTRACE_FOLDERS_H

#include <stdbool.h>
#include <sys/types.h>

/* Makes every folder above the path that is missing, with this mode less the umask; the last part of the path is a
 * file's name. Failures show when the file is opened. */
void folders_make_above(const char *path, mode_t mode);

/* Whether the path is the folder, or below it. Both are real paths. length: of the folder's path. */
bool folders_is_below(const char *path, const char *folder, size_t length);

#endif
