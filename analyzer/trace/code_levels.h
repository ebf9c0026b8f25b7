/*
 * What a module's debug information tells about the code at an address: its function, and the
 * functions that this one is inlined into. Each address is looked up once, because that takes a
 * millisecond in a unit with many templates, and return addresses recur in many stacks.
 *
 * Zero-initialize a struct code_levels; code_levels_free() it. One thread. Names of functions live
 * in the arena, names of files as long as the module's Dwfl.
 */
#ifndef STREAMTRACE_CODE_LEVELS_H
#define STREAMTRACE_CODE_LEVELS_H

#include "base/memory.h"
#include "base/vector.h"
#include "trace/source_tree.h"
#include "trace/symbol_table.h"

#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* A function, and the line in it: of the code, or of the inlined call of the level before. */
struct code_level {
	const char *function; /* mangled, or plain; NULL: unknown */
	const char *file;     /* as in the debug information; NULL: unknown */
	int line;
	bool is_inlined; /* into the next level */
	bool is_library; /* the file is a library's */
};

struct code_address {
	const char *symbol; /* from the symbol table, mangled; NULL: none */
	Dwarf_Die *unit;    /* compile unit; NULL: the module has no debug information for the
			     * address */
	/* The levels in code_levels.levels, innermost first. One more entry has the line from which
	 * the last one was called, without a function. */
	size_t first, count;
};

struct code_levels {
	struct map addresses; /* from address to index in known */
	VECTOR(struct code_address) known;
	VECTOR(struct code_level) levels;
};

/* The compile unit of the address, or NULL. */
Dwarf_Die *code_unit(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias);

/* The folder in which the unit was compiled, and its source file; or NULL. */
const char *code_unit_folder(Dwarf_Die *unit);
const char *code_unit_source(Dwarf_Die *unit);

/* Looks an address up. The result is valid until the next call. program: the program's own source
 * tree; must be equal in all calls. */
struct code_address code_levels_at(struct code_levels *levels, Dwfl_Module *module,
				   struct symbol_table *symbols, GElf_Addr address,
				   const struct source_tree *program, struct arena *arena);

void code_levels_free(struct code_levels *levels);

#endif
