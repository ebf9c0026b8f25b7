/*
 * Finds the symbol that contains an address of a module, with the results of
 * dwfl_module_addrname(). That function searches all symbols each time, up to hundreds of
 * thousands; here they are sorted once.
 *
 * Zero-initialize a table for each module, which must outlive it; symbol_table_free() it. One
 * thread.
 */
#ifndef STREAMTRACE_TRACE_SYMBOL_TABLE_H
#define STREAMTRACE_TRACE_SYMBOL_TABLE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>

struct symbol_span;

struct symbol_table {
	bool is_made;
	struct symbol_spans {
		struct symbol_span *items; /* sorted by start */
		size_t count, capacity;
	} globals, locals, sizeless; /* sizeless: of globals and locals */
};

/* The name of the symbol that contains the address; valid as long as the module. NULL: none. The
 * first call sorts the module's symbols. */
const char *symbol_table_name(struct symbol_table *table, Dwfl_Module *module, GElf_Addr address);

void symbol_table_free(struct symbol_table *table);

#endif
