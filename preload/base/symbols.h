/*
 * The symbols of a loaded library, read from its own tables.
 *
 * dlsym() waits for a lock that the loader holds while the constructors and destructors of a library
 * run, and one of those may wait for the thread that asks. This asks nobody. The caller makes sure
 * that the library stays loaded meanwhile: inside of dl_iterate_phdr(), or with a function of that
 * library on the calling thread's stack.
 */
#ifndef STREAMTRACE_SYMBOLS_H
#define STREAMTRACE_SYMBOLS_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct symbols {
	uint64_t base; /* what is added to the addresses in the file */
	const ElfW(Dyn) * dynamic;
	const ElfW(Sym) * table;
	const char *strings;
	const uint32_t *gnu_hash, *hash; /* either may be NULL */
	const ElfW(Half) * versions;	 /* NULL: its symbols have none */
	const ElfW(Verdef) * definitions;
};

/* The numbers of versions that symbols_version() gives begin at 2. */
enum { SYMBOLS_NO_VERSION = 0 };

/* Of a library by its address and dynamic section, or as dl_iterate_phdr() tells of it. False: it has
 * no symbols that can be looked up. */
bool symbols_read(struct symbols *symbols, uint64_t base, const ElfW(Dyn) * dynamic);
bool symbols_of(struct symbols *symbols, const struct dl_phdr_info *info);

/* The number of the version in this library; SYMBOLS_NO_VERSION: it defines none of that name. */
unsigned symbols_version(const struct symbols *symbols, const char *name);

/* The address of what the library itself defines by that name, and with that version. With
 * SYMBOLS_NO_VERSION: what a reference without a version finds. NULL: it defines none. */
void *symbols_find(const struct symbols *symbols, const char *name, unsigned version);

/* The next library by name that it depends on, behind `after`; NULL: from the first on, and at the end. */
const char *symbols_needed(const struct symbols *symbols, const char *after);

/* The name that it gives itself; NULL: none. */
const char *symbols_own_name(const struct symbols *symbols);

#endif
