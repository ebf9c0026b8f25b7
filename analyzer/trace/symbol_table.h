/*
 * The symbol that holds an address of a module, as dwfl_module_addrname() finds it. That looks through all symbols
 * each time, of which a library can have hundreds of thousands; here they are sorted once.
 *
 * One thread. A table belongs to one module, which must outlive it. Zero-initialize it.
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
		struct symbol_span *items; /* by their starts */
		size_t count, capacity;
	} globals, locals, sizeless; /* sizeless: of both */
};

/* The symbol's name, or NULL. */
const char *symbol_table_name(struct symbol_table *table, Dwfl_Module *module, GElf_Addr address);

void symbol_table_free(struct symbol_table *table);

#endif
