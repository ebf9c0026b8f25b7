/* Which executable or library an address lies in. Takes the loader's lock.
 * Writer thread only, but for the last one. */
#ifndef STREAMTRACE_MODULES_H
#define STREAMTRACE_MODULES_H

#include <stdbool.h>
#include <stdint.h>

struct module {
	const char *path;  /* absolute; until the next module_find() */
	char build_id[41]; /* hexadecimal, "" when the module has none */
	uint64_t load_address;
};

/* False when the address is in no module. */
bool module_find(uint64_t address, struct module *module);

/* In a forked child: forgets what the writer was about. */
void modules_after_fork(void);

#endif
