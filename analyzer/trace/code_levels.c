#include "trace/code_levels.h"

#include "trace/site.h"

#include <dwarf.h>
#include <string.h>

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) &&
	    !dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		return NULL;
	return dwarf_formstring(&attribute);
}

/* The file and line that an inlined function was called from. */
static void read_caller(Dwarf_Die *die, Dwarf_Die *unit, struct code_level *level)
{
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Word number;

	level->file = NULL;
	level->line = 0;
	if (dwarf_getsrcfiles(unit, &files, NULL) != 0 ||
	    dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &number) != 0)
		return;
	level->file = dwarf_filesrc(files, number, NULL, NULL);
	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &number) == 0)
		level->line = (int)number;
}

/* The index that libdw searches is not written by clang: without it, each unit is asked. */
Dwarf_Die *code_unit(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);

	if (unit)
		return unit;
	while ((unit = dwfl_module_nextcu(module, unit, bias)))
		if (dwarf_haspc(unit, address - *bias) > 0)
			return unit;
	return NULL;
}

/* Functions at an address, outermost first: one of the symbol table, and those inlined into it. */
#define MOST_SCOPES 256

struct scopes {
	Dwarf_Die items[MOST_SCOPES];
	int count, depth;
};

/* Entries without an address of their own. dwarf_getscopes() skips what is inside; clang puts the
 * functions of namespaces there. */
static bool is_container(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_namespace || tag == DW_TAG_module;
}

/* Whether pc was found below the DIE. */
static bool find_scopes(Dwarf_Die *parent, Dwarf_Addr pc, struct scopes *scopes)
{
	Dwarf_Die die;
	bool is_found = false;
	int status;

	if (scopes->depth == MOST_SCOPES)
		return false;
	scopes->depth++;
	for (status = dwarf_child(parent, &die); status == 0 && !is_found;
	     status = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);

		if (is_container(&die)) {
			is_found = find_scopes(&die, pc, scopes);
			continue;
		}
		if (dwarf_haspc(&die, pc) <= 0)
			continue;
		if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram)
			scopes->items[scopes->count++] = die;
		find_scopes(&die, pc, scopes);
		is_found = true;
	}
	scopes->depth--;
	return is_found;
}

/* The file and line of pc itself. */
static void read_line(Dwarf_Die *unit, Dwarf_Addr pc, struct code_level *level)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, pc);

	if (!line || dwarf_lineno(line, &level->line) != 0)
		return;
	level->file = dwarf_linesrc(line, NULL, NULL);
}

const char *code_unit_folder(Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

/* For a .cu file the unit names nvcc's own file; the .cu file is in the list of files read. */
const char *code_unit_source(Dwarf_Die *unit)
{
	const char *name = dwarf_diename(unit), *other;
	Dwarf_Files *files;
	size_t count;

	if ((name && !site_is_cuda_source(name)) || dwarf_getsrcfiles(unit, &files, &count) != 0)
		return name;
	for (size_t i = 0; i < count; i++) {
		other = dwarf_filesrc(files, i, NULL, NULL);
		if (other && !source_is_header(other) && !site_is_cuda_source(other))
			return other;
	}
	return NULL;
}

/* From the innermost outwards; *level has the place in that. */
static void add_levels(struct code_levels *levels, Dwarf_Die *unit, Dwarf_Addr pc,
		       const struct source_tree *program, struct arena *arena,
		       struct code_address *address)
{
	struct source_tree tree = source_tree_of(code_unit_folder(unit), code_unit_source(unit));
	struct code_level level = {0};
	struct scopes scopes;

	scopes.count = scopes.depth = 0;
	find_scopes(unit, pc, &scopes);
	read_line(unit, pc, &level);
	for (int i = scopes.count - 1; i >= 0; i--) {
		Dwarf_Die *scope = &scopes.items[i];
		const char *name = linkage_name(scope);

		level.is_inlined = dwarf_tag(scope) == DW_TAG_inlined_subroutine;
		if (!name && !level.is_inlined)
			name = address->symbol;
		if (!name)
			name = dwarf_diename(scope);
		level.function = name ? arena_text(arena, name) : NULL;
		level.is_library = level.file && source_is_library(level.file, program, &tree);
		*vector_add(&levels->levels) = level;
		address->count++;
		if (level.is_inlined)
			read_caller(scope, unit, &level);
	}
	level.function = NULL;
	level.is_library = false;
	*vector_add(&levels->levels) = level;
	source_tree_free(&tree);
}

static struct code_address look_up(struct code_levels *levels, Dwfl_Module *module,
				   struct symbol_table *symbols, GElf_Addr address,
				   const struct source_tree *program, struct arena *arena)
{
	const char *symbol = symbol_table_name(symbols, module, address);
	Dwarf_Addr bias = 0;
	struct code_address found = {
		.symbol = symbol ? arena_text(arena, symbol) : NULL,
		.unit = code_unit(module, address, &bias),
		.first = levels->levels.count,
	};

	if (found.unit)
		add_levels(levels, found.unit, address - bias, program, arena, &found);
	return found;
}

struct code_address code_levels_at(struct code_levels *levels, Dwfl_Module *module,
				   struct symbol_table *symbols, GElf_Addr address,
				   const struct source_tree *program, struct arena *arena)
{
	size_t at = map_find(&levels->addresses, address);

	if (at == MAP_NONE) {
		at = levels->known.count;
		map_add(&levels->addresses, address, at);
		*vector_add(&levels->known) =
			look_up(levels, module, symbols, address, program, arena);
	}
	return levels->known.items[at];
}

void code_levels_free(struct code_levels *levels)
{
	vector_free(&levels->levels);
	vector_free(&levels->known);
	map_free(&levels->addresses);
}
