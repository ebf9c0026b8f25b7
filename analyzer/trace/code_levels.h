/*
 * What a module's debug information tells about the code at an address: its function, and the
 * functions that this function is inlined into. Each address is looked up once: a look-up takes a
 * millisecond in a unit with many templates, and return addresses recur in many stacks.
 *
 * Zero-initialize a struct code_levels for each module; code_levels_free() it. One thread. Names of
 * functions live in the arena, names of files as long as the module's Dwfl.
 */
#ifndef STREAMTRACE_CODE_LEVELS_H
#define STREAMTRACE_CODE_LEVELS_H

#include "base/memory.h"
#include "base/vector.h"
#include "trace/source_tree.h"
#include "trace/symbol_table.h"

#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* A function, and a line in it. The innermost level's line is that of the code; any other level's
 * line is that of the call of the level before, which was inlined there. */
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
	/* The levels are code_levels.levels[first] and the count - 1 that follow, innermost first.
	 * If unit is not NULL one more entry follows: without a function, with the line that the
	 * outermost inlined level was called from. */
	size_t first, count;
};

struct code_levels {
	struct map addresses; /* from address to index in known */
	VECTOR(struct code_address) known;
	VECTOR(struct code_level) levels;
};

/* The compile unit of the address, owned by the module; NULL: no debug information for it. *bias:
 * what to subtract from the address to get one in the debug information. */
Dwarf_Die *code_unit(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias);

/* The folder in which the unit was compiled, and the unit's source file (for nvcc's units the .cu
 * file). Both are owned by the module; NULL: unknown. */
const char *code_unit_folder(Dwarf_Die *unit);
const char *code_unit_source(Dwarf_Die *unit);

/* Looks an address up. All calls for one code_levels must have equal module, symbols, program and
 * arena. program: the source tree of the unit with main(). The result's indexes stay valid until
 * code_levels_free(), pointers to levels until the next call. */
struct code_address code_levels_at(struct code_levels *levels, Dwfl_Module *module,
				   struct symbol_table *symbols, GElf_Addr address,
				   const struct source_tree *program, struct arena *arena);

/* Frees the tables; names of functions stay in the arena. */
void code_levels_free(struct code_levels *levels);

#endif
