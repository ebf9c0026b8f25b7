/*
 * The libraries that the process has loaded.
 *
 * Nothing here but dlclose() takes the lock that the loader holds while constructors and destructors
 * run: one of those may wait for the thread that asks. What is taken is the lock of dl_iterate_phdr(),
 * which the loader holds while it changes its list.
 */
#ifndef STREAMTRACE_LOADED_H
#define STREAMTRACE_LOADED_H

#include "base/symbols.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct loaded {
	const char *file; /* its name without the folder; "" for the program */
	/* It was there at the program's start, behind the library that this code is in: where that
	 * one's RTLD_NEXT finds what it has. */
	bool is_next;
	struct symbols symbols;
};

/* Calls `look` for each library with symbols but the one that this code is in, in the order in which
 * they were loaded, until it returns true; whether it did. `look` must neither wait nor call the loader. */
bool loaded_each(bool (*look)(const struct loaded *library, void *data), void *data);

/* The path of loaded library number `index` (from 0) among those whose file name begins with
 * `stem`, as it was given to the loader. False when there are no more. */
bool loaded_library(const char *stem, int index, char path[PATH_MAX]);

/* The symbol in the first of them that has it, with that version or, where version is NULL, any. NULL:
 * none has it. The library stays: loaded_keep(). */
void *loaded_symbol(const char *stem, const char *name, const char *version);

/* The library that has this function stays loaded until the program ends: the caller keeps the address
 * for other threads to call. */
void loaded_keep(void *function);

/* Called behind each dlclose() that has unloaded a library, inside of dl_iterate_phdr(): it neither waits nor
 * calls the loader. Set once, by the constructor. */
void loaded_tell_unloads(void (*function)(void));

/* How many libraries the process had unloaded behind its last dlclose(), which is interposed: once it is another
 * number, another library can be where one was. Any thread; one load. */
uint64_t loaded_unloads(void);

#endif
