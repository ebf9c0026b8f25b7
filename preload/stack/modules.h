/*
 * Modules: the executable and the libraries in which the addresses of call sites lie.
 *
 * The thread that has an address of a module on its stack adds the module, so the module cannot be
 * unloaded meanwhile; or another thread, inside dl_iterate_phdr(). A signal handler may add a module, too: adding takes no lock of the loader's,
 * and memory comes from atoms (base/atoms.h). Each module has a number. A different module loaded
 * at the same place later gets another number; a module that returns to its old place gets its old
 * number.
 */
#ifndef STREAMTRACE_MODULES_H
#define STREAMTRACE_MODULES_H

#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* A word holds an address in its lower MODULE_ADDRESS_BITS, and above these the number of the
 * address's module: 1 to MODULES_MOST; 0: in no module, or the table is full. */
#define MODULES_MOST	     4096
#define MODULE_ADDRESS_BITS  48
#define MODULE_ADDRESS(word) ((uint64_t)(word) & ((UINT64_C(1) << MODULE_ADDRESS_BITS) - 1))
#define MODULE_NUMBER(word)  ((uint32_t)((uint64_t)(word) >> MODULE_ADDRESS_BITS))

struct module {
	uint64_t load_address, low, high; /* high: one past the last byte */
	char build_id[48];		  /* hexadecimal; "" if the module has none */
	char name[];			  /* as the loader got it; "" for the program */
};

/* The number of the module that contains the address; 0: none, or no room. If the module is new,
 * stores its link_map in *added; otherwise leaves *added alone. The caller must have an address of
 * the module on its stack, or be inside dl_iterate_phdr(). Leaves errno alone. */
uint32_t modules_number(uint64_t address, const struct link_map **added);

/* The number of the module that contains the address, if modules_number() gave it one; 0: none. Any
 * thread. */
uint32_t modules_known(uint64_t address);

/* The module with this number; NULL for 0. Valid until the process ends. Any thread. */
const struct module *modules_get(uint32_t number);

/* Stores the absolute path of a module; the loader's name for it, if the file is not found. Asks
 * the file system: not in signal handlers. */
void modules_path(const struct module *module, char path[PATH_MAX]);

/* Calls closed(low, high) for each module that was unloaded since the last call. Call inside
 * dl_iterate_phdr(), so that the loader's list cannot change meanwhile. */
void modules_find_closed(void (*closed)(uint64_t low, uint64_t high));

#endif
