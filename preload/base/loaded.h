/* The libraries that the process has loaded. */
#ifndef STREAMTRACE_LOADED_H
#define STREAMTRACE_LOADED_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* The path of loaded library number `index` (from 0) among those whose file name begins with
 * `stem`, as it was given to the loader. False when there are no more. The path is copied out,
 * because the loader keeps its lock during its walk: a dlopen() in there would wait for a thread
 * that is in dlopen() itself and waits for that lock. */
bool loaded_library(const char *stem, int index, char path[PATH_MAX]);

/* The symbol in the first of them that has it, with that version or, where version is NULL, any. It
 * is found where an RTLD_LOCAL dlopen hides it from the global scope. NULL: none has it. Takes 4 KB
 * of stack; sets dlerror(). */
void *loaded_symbol(const char *stem, const char *name, const char *version);

/* How many libraries the process had unloaded behind its last dlclose(), which is interposed: once it is another
 * number, another library can be where one was. Any thread; one load. */
uint64_t loaded_unloads(void);

#endif
