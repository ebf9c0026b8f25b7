/* What a command writes must not take the place of a trace. One thread. */
#ifndef STREAMTRACE_OVERWRITING_H
#define STREAMTRACE_OVERWRITING_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the file is one of the paths, or any trace or summary: of a folder some are left out. */
bool overwrites_trace(const char *file, char *const *paths, size_t count);

/* Standard output goes to the file from now on; NULL: it stays. EXIT_FINE, or why not, which was printed. */
int overwriting_open_report(const char *file, char *const *paths, size_t count);

#endif
