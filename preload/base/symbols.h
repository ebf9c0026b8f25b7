/*
 * The symbols of a loaded library, read from its own tables in memory.
 *
 * dlsym() takes a lock that the loader holds while the constructors and destructors of a library
 * run, and such a function may wait for our thread. These functions take no lock and allocate
 * nothing. The caller must make sure that the library stays loaded: inside dl_iterate_phdr(), or
 * with a function of the library on the calling thread's stack.
 */
#ifndef STREAMTRACE_SYMBOLS_H
#define STREAMTRACE_SYMBOLS_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct symbols {
	uint64_t base; /* added to the addresses in the file */
	const ElfW(Dyn) * dynamic;
	const ElfW(Sym) * table;
	const char *strings;
	const uint32_t *gnu_hash, *hash; /* hash tables of the symbols; one may be NULL */
	const ElfW(Half) * versions;	 /* NULL: the symbols have no versions */
	const ElfW(Verdef) * definitions;
};

/* No version; symbols_version() counts from 2. */
enum { SYMBOLS_NO_VERSION = 0 };

/* symbols_read() fills in *symbols from a library's load address (base) and dynamic section,
 * symbols_of() from the library's entry of dl_iterate_phdr(). False: the library has no symbol
 * table. */
bool symbols_read(struct symbols *symbols, uint64_t base, const ElfW(Dyn) * dynamic);
bool symbols_of(struct symbols *symbols, const struct dl_phdr_info *info);

/* Returns the number that this library gives to the version called `name`; SYMBOLS_NO_VERSION: the
 * library does not define that version. */
unsigned symbols_version(const struct symbols *symbols, const char *name);

/* Returns the address of the symbol that the library itself defines with this name. version: a
 * result of symbols_version(); SYMBOLS_NO_VERSION selects the symbol that a reference without a
 * version finds. NULL: not defined. */
void *symbols_find(const struct symbols *symbols, const char *name, unsigned version);

/* The size in bytes of what symbols_find() finds; 0: not defined, or of no known size. */
uint64_t symbols_size(const struct symbols *symbols, const char *name, unsigned version);

/* Iterates over the names of the libraries that this one depends on: the name behind `after` (a
 * former result, compared by address), or the first one if `after` is NULL. NULL: no more. */
const char *symbols_needed(const struct symbols *symbols, const char *after);

/* The library's own name (DT_SONAME), or NULL. */
const char *symbols_own_name(const struct symbols *symbols);

#endif
