#include "trace/symbols.h"

#include "base/build_id.h"
#include "base/regular_file.h"
#include "trace/code_levels.h"
#include "trace/source_tree.h"
#include "trace/symbol_table.h"
#include "trace/trace_private.h"

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
	struct code_levels levels;
};

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static bool has_build_id(Dwfl_Module *module, const char *expected)
{
	const unsigned char *bits = NULL;
	GElf_Addr address;
	const int length = dwfl_module_build_id(module, &bits, &address);

	return build_id_is(bits, length, expected);
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

/* An absolute path, if the unit has the folder of its compilation; that is "." if the build mapped
 * its folders away. */
static const char *absolute_path(struct arena *arena, const char *path, Dwarf_Die *unit)
{
	const char *folder = code_unit_folder(unit), *text;
	char *joined;

	if (path[0] == '/' || !folder || !strcmp(folder, "."))
		return arena_text(arena, path);
	joined = memory_format("%s/%s", folder, path);
	text = arena_text(arena, joined);
	free(joined);
	return text;
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
		unit = code_unit(file->module, address, &bias);
		if (unit)
			return source_tree_of(code_unit_folder(unit), code_unit_source(unit));
	}
	return (struct source_tree){0};
}

/* Walks the functions at an address from the innermost inlined one outwards. *frame: the first that
 * is application code, otherwise the outermost. frame->through: the outermost library function
 * before it, which the application called. */
static void walk_levels(const struct code_level *levels, size_t count, struct frame_filter *filter,
			struct trace_frame *frame)
{
	frame->file = levels[0].file;
	frame->line = levels[0].line;
	for (size_t i = 0; i < count; i++) {
		bool is_accepted;

		frame->function = levels[i].function;
		is_accepted = frame_filter_accepts(filter, frame);
		/* Of the program's own modules: of a library's headers, or of a copy of its sources. */
		frame->is_library_line = !frame->is_library && levels[i].is_library;
		if ((is_accepted && !frame->is_library_line) || !levels[i].is_inlined)
			break;
		if (is_accepted)
			frame->through = frame->function;
		frame->file = levels[i + 1].file;
		frame->line = levels[i + 1].line;
	}
}

static void resolve_frame(struct arena *arena, struct symbols_file *file,
			  const struct source_tree *program, struct frame_filter *filter,
			  struct trace_frame *frame)
{
	/* A return address may belong to the next line: the call is one byte before. */
	struct code_address address =
		code_levels_at(&file->levels, file->module, &file->symbols,
			       frame->offset + file->bias - 1, program, arena);
	struct trace_frame found = *frame;

	found.function = address.symbol;
	if (address.unit)
		walk_levels(&file->levels.levels.items[address.first], address.count, filter,
			    &found);
	else
		frame_filter_accepts(filter, &found);
	if (found.function)
		frame->function = found.function;
	/* Line 0 is the compiler's word for code that no line stands for. */
	if (!found.file || found.line <= 0)
		return;
	frame->file = absolute_path(arena, found.file, address.unit);
	frame->line = found.line;
	frame->is_library_line = found.is_library_line;
	if (found.through)
		frame->through = found.through;
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
			/* Libraries have many symbols: their frames are only resolved if no better
			 * frame calls them. */
			if (frame->is_library && is_found)
				continue;
			file = find_file(&files, frame);
			has_all &= file->module != NULL;
			if (file->module)
				resolve_frame(&private->arena, file, &program, &filter, frame);
			is_found |= frame_filter_accepts(&filter, frame) && is_own(frame);
		}
	}
	for (size_t i = 0; i < files.count; i++) {
		code_levels_free(&files.items[i].levels);
		symbol_table_free(&files.items[i].symbols);
		dwfl_end(files.items[i].dwfl);
	}
	source_tree_free(&program);
	vector_free(&files);
	return has_all;
}
