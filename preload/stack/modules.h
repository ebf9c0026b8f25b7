/*
 * The executable and the libraries that the addresses of call sites lie in.
 *
 * A module is noted by the thread that has one of its addresses on its stack, or runs it: so it stays
 * loaded meanwhile. No lock of the loader's, and no memory but the atoms' (base/atoms.h); in signal handlers
 * too. Each has a number: another module that is loaded at its place later has another one, and one that
 * comes back to its place has the same again.
 */
#ifndef STREAMTRACE_MODULES_H
#define STREAMTRACE_MODULES_H

#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* A word is an address with the number of its module above it: 1 to MODULES_MOST, or 0 where the address
 * is in none, or in one for which there is no room. */
#define MODULES_MOST	     4096
#define MODULE_ADDRESS_BITS  48
#define MODULE_ADDRESS(word) ((uint64_t)(word) & ((UINT64_C(1) << MODULE_ADDRESS_BITS) - 1))
#define MODULE_NUMBER(word)  ((uint32_t)((uint64_t)(word) >> MODULE_ADDRESS_BITS))

struct module {
	uint64_t load_address, low, high; /* high: behind its last byte */
	char build_id[48];		  /* hexadecimal, "" when the module has none */
	char name[];			  /* as it was given to the loader; "" for the program */
};

/* The number of the module that has the address. *added: the module, if it was not known before; else it
 * is left alone. The caller has an address of that module on its stack. Leaves errno alone. */
uint32_t modules_number(uint64_t address, const struct link_map **added);

/* NULL for 0. For good. */
const struct module *modules_get(uint32_t number);

/* The absolute path of a module. Asks the file system. */
void modules_path(const struct module *module, char path[PATH_MAX]);

/* Finds out which known modules are closed by now, and calls `closed` for each. Inside of
 * dl_iterate_phdr(), so that the loader's list stays as it is. */
void modules_find_closed(void (*closed)(uint64_t low, uint64_t high));

#endif
