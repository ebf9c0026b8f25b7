/*
 * What a module's debug information says of the code at an address: the function there and those that
 * are inlined around it. Looked up once for each address, which takes a millisecond in a unit of many
 * templates; the same return addresses come in many stacks.
 *
 * One thread. Functions' names are kept in the arena; files are good as long as the module's Dwfl.
 * Zero-initialize a struct code_levels.
 */
#ifndef STREAMTRACE_CODE_LEVELS_H
#define STREAMTRACE_CODE_LEVELS_H

#include "base/memory.h"
#include "base/vector.h"
#include "trace/source_tree.h"
#include "trace/symbol_table.h"

#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* A function, and where in it the code is, or the call of the level before. */
struct code_level {
	const char *function; /* mangled, or as it is named; NULL: not known */
	const char *file;     /* as the debug information has it; NULL: not known */
	int line;
	bool is_inlined; /* into the next level */
	bool is_library; /* the file is a library's */
};

struct code_address {
	const char *symbol; /* mangled, of the symbol table; NULL: none */
	Dwarf_Die *unit;    /* NULL: the module has no debug information of it */
	/* In code_levels.levels, from the innermost outwards. One more has the place from which the
	 * last one was called, and no function. */
	size_t first, count;
};

struct code_levels {
	struct map addresses; /* to indexes in known */
	VECTOR(struct code_address) known;
	VECTOR(struct code_level) levels;
};

/* The unit of the address, or NULL. */
Dwarf_Die *code_unit(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias);

/* The folder in which the unit was compiled, and what it was made from; or NULL. */
const char *code_unit_folder(Dwarf_Die *unit);
const char *code_unit_source(Dwarf_Die *unit);

/* Good until the next one. program: what is the program's own; the same each time. */
struct code_address code_levels_at(struct code_levels *levels, Dwfl_Module *module,
				   struct symbol_table *symbols, GElf_Addr address,
				   const struct source_tree *program, struct arena *arena);

void code_levels_free(struct code_levels *levels);

#endif
