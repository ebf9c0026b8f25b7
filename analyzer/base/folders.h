/* Makes folders. Any thread. */
#ifndef STREAMTRACE_FOLDERS_H
#define STREAMTRACE_FOLDERS_H

#include <sys/types.h>

/* Makes every folder above the path that is missing, with this mode less the umask; the last part of the path is a
 * file's name. Failures show when the file is opened. */
void folders_make_above(const char *path, mode_t mode);

#endif
