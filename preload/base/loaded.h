/*
 * The libraries that the process has loaded, and their symbols.
 *
 * The loader holds a lock while constructors and destructors run, and such a function may wait for
 * our thread. So no function below takes that lock. (loaded.c also replaces dlclose(), which takes
 * it anyway.) The functions that search take the lock of dl_iterate_phdr(), which the loader holds
 * only while it changes its list. Any thread.
 */
#ifndef STREAMTRACE_LOADED_H
#define STREAMTRACE_LOADED_H

#include "base/symbols.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct loaded {
	const char *file; /* file name without the folder; "" for the program */
	/* True: loaded at the program's start, after the library with this code: the libraries that
	 * RTLD_NEXT searches. */
	bool is_next;
	struct symbols symbols;
};

/* Calls look(library, data) for each library that has symbols, in the order of loading, until look
 * returns true; the library with this code is skipped. Returns whether look returned true. `look`
 * must neither wait nor call the loader; *library is valid only during its call. */
bool loaded_each(bool (*look)(const struct loaded *library, void *data), void *data);

/* Finds the index-th library (from 0) whose file name begins with `stem`, and stores its path as
 * the loader got it. False: there are no more; path is then undefined. */
bool loaded_library(const char *stem, int index, char path[PATH_MAX]);

/* Returns the address of symbol `name` in the first library whose file name begins with `stem` and
 * that defines it with this version (NULL: any version). NULL: not found. A library found stays
 * loaded (loaded_keep()). */
void *loaded_symbol(const char *stem, const char *name, const char *version);

/* Whether the address is in the memory of a library or of the program, as their files are mapped. */
bool loaded_contains(const void *address);

/* Keeps the library that contains this function loaded until the program ends; at most 64
 * libraries, further ones are not kept. Call before storing an address for other threads. */
void loaded_keep(void *function);

/* Registers a function to be called after each dlclose() that has unloaded a library; call once, in
 * the constructor. It runs inside dl_iterate_phdr(): it must neither wait nor call the loader. */
void loaded_tell_unloads(void (*function)(void));

/* Returns how many libraries the process had unloaded after its last dlclose(). If the number has
 * changed, another library may now lie where one was. Costs one load. */
uint64_t loaded_unloads(void);

#endif
