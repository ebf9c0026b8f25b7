#include "trace/symbols.h"
#include "base/regular_file.h"
#include "trace/private.h"
#include "trace/source_tree.h"
#include "trace/symbol_table.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A module's file, opened once for all its frames. */
struct symbols_file {
	const char *path, *build_id; /* the trace's texts */
	Dwfl *dwfl;
	Dwfl_Module *module; /* NULL: missing, not an ELF file, or another build */
	GElf_Addr bias;	     /* from an ELF address to one of dwfl */
	struct symbol_table symbols;
};

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static bool has_build_id(Dwfl_Module *module, const char *expected)
{
	const unsigned char *bits;
	GElf_Addr address;
	char byte[3];
	int length = dwfl_module_build_id(module, &bits, &address), i;

	if (!expected)
		return true;
	if (length <= 0 || strlen(expected) != (size_t)length * 2)
		return false;
	for (i = 0; i < length; i++) {
		snprintf(byte, sizeof(byte), "%02x", bits[i]);
		if (strncasecmp(expected + (size_t)i * 2, byte, 2) != 0)
			return false;
	}
	return true;
}

static struct symbols_file file_open(const struct trace_frame *frame)
{
	struct symbols_file file = {.path = frame->module, .build_id = frame->build_id};
	int descriptor = regular_file_open(frame->module); /* [vdso] is none */

	file.dwfl = dwfl_begin(&callbacks);
	if (file.dwfl && descriptor >= 0)
		file.module = dwfl_report_offline(file.dwfl, "", frame->module, descriptor);
	if (!file.module && descriptor >= 0)
		close(descriptor);
	if (!file.dwfl)
		return file;
	dwfl_report_end(file.dwfl, NULL, NULL);
	if (file.module && (!has_build_id(file.module, frame->build_id) ||
			    !dwfl_module_getelf(file.module, &file.bias)))
		file.module = NULL;
	return file;
}

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) &&
	    !dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		return NULL;
	return dwarf_formstring(&attribute);
}

/* The file and line that an inlined function was called from. */
static void read_caller(Dwarf_Die *die, Dwarf_Die *unit, struct trace_frame *frame)
{
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Word number;

	frame->file = NULL;
	frame->line = 0;
	if (dwarf_getsrcfiles(unit, &files, NULL) != 0 ||
	    dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &number) != 0)
		return;
	frame->file = dwarf_filesrc(files, number, NULL, NULL);
	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &number) == 0)
		frame->line = (int)number;
}

/* The unit that contains address, and its bias. The index that libdw searches is not written by
 * clang: without it, each unit is asked. */
static Dwarf_Die *find_unit(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);

	if (unit)
		return unit;
	while ((unit = dwfl_module_nextcu(module, unit, bias)))
		if (dwarf_haspc(unit, address - *bias) > 0)
			return unit;
	return NULL;
}

/* Functions around an address, outermost first: one of the symbol table, and those inlined into it. */
#define MOST_SCOPES 256

struct scopes {
	Dwarf_Die items[MOST_SCOPES];
	int count, depth;
};

/* Containers without an address of their own. dwarf_getscopes() skips what is in there, where clang
 * puts the functions of namespaces. */
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
static void read_line(Dwarf_Die *unit, Dwarf_Addr pc, struct trace_frame *frame)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, pc);

	if (!line || dwarf_lineno(line, &frame->line) != 0)
		return;
	frame->file = dwarf_linesrc(line, NULL, NULL);
}

/* What decides whether a line is the program's own. */
struct ownership {
	struct frame_filter *filter;
	const struct source_tree *program, *unit;
};

/* Whether the line of a frame in the program's own modules is a library's: of its headers, or of a
 * copy of its sources. */
static bool is_library_line(const struct ownership *ownership, const struct trace_frame *frame)
{
	return !frame->is_library && frame->file &&
	       source_is_library(frame->file, ownership->program, ownership->unit);
}

/* Walks the functions at pc from the innermost inlined one outwards, and leaves the first that is
 * application code in *frame, or else the outermost. symbol names the outermost. Of the libraries'
 * functions before it the outermost is what the application called: frame->through. */
static void walk_inlined(Dwarf_Die *unit, Dwarf_Addr pc, const char *symbol,
			 const struct ownership *ownership, struct trace_frame *frame)
{
	struct scopes scopes;
	const char *linkage;

	scopes.count = scopes.depth = 0;
	find_scopes(unit, pc, &scopes);
	for (int i = scopes.count - 1; i >= 0; i--) {
		Dwarf_Die *scope = &scopes.items[i];
		bool is_inlined = dwarf_tag(scope) == DW_TAG_inlined_subroutine, is_accepted;

		linkage = linkage_name(scope);
		if (!linkage && !is_inlined)
			linkage = symbol;
		frame->function = linkage ? linkage : dwarf_diename(scope);
		is_accepted = frame_filter_accepts(ownership->filter, frame);
		frame->is_library_line = is_library_line(ownership, frame);
		if ((is_accepted && !frame->is_library_line) || !is_inlined)
			break;
		if (is_accepted)
			frame->through = frame->function;
		read_caller(scope, unit, frame);
	}
}

static const char *unit_folder(Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

/* An absolute path where the unit says in which folder it was compiled; "." stands there when the
 * build mapped its folders away. */
static const char *absolute_path(struct arena *arena, const char *path, Dwarf_Die *unit)
{
	const char *folder = unit_folder(unit), *text;
	char *joined;

	if (path[0] == '/' || !folder || !strcmp(folder, "."))
		return arena_text(arena, path);
	joined = memory_format("%s/%s", folder, path);
	text = arena_text(arena, joined);
	free(joined);
	return text;
}

/* What the unit was made from. nvcc's own files stand there for a .cu file, which is in the list of
 * those that were read. */
static const char *unit_source(Dwarf_Die *unit)
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

/* The source tree of the unit with main(). */
static struct source_tree program_tree(const struct symbols_file *file)
{
	int count = dwfl_module_getsymtab(file->module);
	Dwarf_Addr bias;
	Dwarf_Die *unit;
	GElf_Sym symbol;

	for (int i = 0; i < count; i++) {
		GElf_Addr address;
		const char *name = dwfl_module_getsym_info(file->module, i, &symbol, &address, NULL,
							   NULL, NULL);

		if (!name || strcmp(name, "main") != 0 || symbol.st_shndx == SHN_UNDEF)
			continue;
		unit = find_unit(file->module, address, &bias);
		if (unit)
			return source_tree_of(unit_folder(unit), unit_source(unit));
	}
	return (struct source_tree){0};
}

static void resolve_frame(struct arena *arena, struct symbols_file *file,
			  const struct source_tree *program, struct frame_filter *filter,
			  struct trace_frame *frame)
{
	/* A return address may belong to the next line: the call is one byte before. */
	Dwarf_Addr address = frame->offset + file->bias - 1, bias = 0;
	Dwarf_Die *unit = find_unit(file->module, address, &bias);
	struct trace_frame found = *frame;

	found.function = symbol_table_name(&file->symbols, file->module, address);
	if (unit) {
		struct source_tree tree = source_tree_of(unit_folder(unit), unit_source(unit));
		struct ownership ownership = {filter, program, &tree};

		read_line(unit, address - bias, &found);
		walk_inlined(unit, address - bias, found.function, &ownership, &found);
		source_tree_free(&tree);
	} else {
		frame_filter_accepts(filter, &found);
	}
	if (found.function)
		frame->function = arena_text(arena, found.function);
	/* Line 0 is the compiler's word for code that no line stands for. */
	if (!found.file || found.line <= 0)
		return;
	frame->file = absolute_path(arena, found.file, unit);
	frame->line = found.line;
	frame->is_library_line = found.is_library_line;
	if (found.through)
		frame->through = arena_text(arena, found.through);
}

typedef VECTOR(struct symbols_file) symbols_file_vector;

static struct symbols_file *find_file(symbols_file_vector *files, const struct trace_frame *frame)
{
	struct symbols_file *file;

	/* All frames of a module share its texts. */
	for (size_t i = 0; i < files->count; i++)
		if (files->items[i].path == frame->module)
			return &files->items[i];
	file = vector_add(files);
	*file = file_open(frame);
	return file;
}

/* A library's frames come in many stacks: each is looked up once. False: that is to be done. */
static bool copy_known(struct trace_private *private, struct map *known, ptrdiff_t file,
		       struct trace_frame *frame)
{
	uint64_t key = (uint64_t)file << 48 | (frame->offset & (((uint64_t)1 << 48) - 1));
	size_t index = frame->is_library ? map_find(known, key) : MAP_NONE;

	if (index != MAP_NONE) {
		frame->function = private->frames.items[index].function;
		frame->file = private->frames.items[index].file;
		frame->line = private->frames.items[index].line;
		return true;
	}
	if (frame->is_library)
		map_add(known, key, (size_t)(frame - private->frames.items));
	return false;
}

/* The program's own source tree; nothing where the program is not there to be read. */
static struct source_tree find_program(const struct trace *trace, symbols_file_vector *files)
{
	const char *program = trace_metadata(trace, "program");
	const struct symbols_file *file;

	for (size_t i = 0; program && i < trace->private->frames.count; i++) {
		const struct trace_frame *frame = &trace->private->frames.items[i];

		if (frame->file || !frame->module || !site_is_program(frame->module, program))
			continue;
		file = find_file(files, frame);
		return file->module ? program_tree(file) : (struct source_tree){0};
	}
	return (struct source_tree){0};
}

static bool is_own(const struct trace_frame *frame)
{
	return !frame->is_library && !frame->is_library_line;
}

bool symbols_resolve(struct trace *trace)
{
	struct trace_private *private = trace->private;
	symbols_file_vector files = {0};
	struct symbols_file *file;
	struct source_tree program;
	struct map known = {0};
	bool has_all = true;

	/* A report must not wait for gigabytes of debug information from a server. */
	unsetenv("DEBUGINFOD_URLS");
	program = find_program(trace, &files);
	for (size_t i = 0; i < trace->site_count; i++) {
		const struct trace_site *site = &trace->sites[i];
		struct frame_filter filter = {0};
		bool is_found = site->python_depth > 0;

		for (int depth = 0; depth < site->depth; depth++) {
			struct trace_frame *frame =
				&private->frames
					 .items[site->frames - private->frames.items + depth];

			if (frame->file || !frame->module) {
				is_found |= frame_filter_accepts(&filter, frame) && is_own(frame);
				continue;
			}
			/* A library's frame is told only where no better one calls it, and its
			 * symbols are many. */
			if (frame->is_library && is_found)
				continue;
			file = find_file(&files, frame);
			has_all &= file->module != NULL;
			if (file->module && !copy_known(private, &known, file - files.items, frame))
				resolve_frame(&private->arena, file, &program, &filter, frame);
			is_found |= frame_filter_accepts(&filter, frame) && is_own(frame);
		}
	}
	for (size_t i = 0; i < files.count; i++) {
		symbol_table_free(&files.items[i].symbols);
		dwfl_end(files.items[i].dwfl);
	}
	source_tree_free(&program);
	vector_free(&files);
	map_free(&known);
	return has_all;
}
