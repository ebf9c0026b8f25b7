/* The build ids of ELF files: whether a file is still the one that was traced. Any thread. */
#ifndef STREAMTRACE_BUILD_ID_H
#define STREAMTRACE_BUILD_ID_H

#include <stdbool.h>

/* Whether the id of `length` bytes is the expected one, in hexadecimal. length <= 0: the file has none. True if
 * expected is NULL: nothing is known. */
bool build_id_is(const unsigned char *id, long length, const char *expected);

/* Whether the file has the expected build id. True if expected is NULL, or the file cannot be read: nothing is known. */
bool build_id_is_of_file(const char *path, const char *expected);

#endif
