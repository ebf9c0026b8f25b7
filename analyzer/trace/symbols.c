/*
 * Functions and lines of call sites, from the files that the program was loaded from.
 */
#include "trace/site.h"
#include "trace/private.h"

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

	file.dwfl = dwfl_begin(&callbacks);
	if (!file.dwfl)
		return file;
	/* A path that is none, such as [vdso], is no file to open: access() tells. */
	if (access(frame->module, R_OK) == 0)
		file.module = dwfl_report_offline(file.dwfl, "", frame->module, -1);
	dwfl_report_end(file.dwfl, NULL, NULL);
	if (file.module && !has_build_id(file.module, frame->build_id))
		file.module = NULL;
	if (file.module && !dwfl_module_getelf(file.module, &file.bias))
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

/* The DIEs around pc, innermost first. dwarf_getscopes() goes on with an inlined function's
 * definition; its callers are the parents of the innermost DIE. malloc'ed, or NULL. */
static Dwarf_Die *find_scopes(Dwarf_Die *unit, Dwarf_Addr pc, int *count)
{
	Dwarf_Die *scopes = NULL, innermost;

	*count = dwarf_getscopes(unit, pc, &scopes);
	if (*count <= 0)
		return NULL;
	innermost = scopes[0];
	free(scopes);
	scopes = NULL;
	*count = dwarf_getscopes_die(&innermost, &scopes);
	return scopes;
}

/* The file and line of pc itself. */
static void read_line(Dwarf_Die *unit, Dwarf_Addr pc, struct trace_frame *frame)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, pc);

	if (!line || dwarf_lineno(line, &frame->line) != 0)
		return;
	frame->file = dwarf_linesrc(line, NULL, NULL);
}

/* Walks the functions at pc from the innermost inlined one outwards, and leaves the first that is
 * application code in *frame, or else the outermost. symbol names the outermost. */
static void walk_inlined(Dwarf_Die *unit, Dwarf_Addr pc, const char *symbol,
			 struct frame_filter *filter, struct trace_frame *frame)
{
	const char *linkage;
	Dwarf_Die *scopes;
	int count = 0, i;

	scopes = find_scopes(unit, pc, &count);
	for (i = 0; scopes && i < count; i++) {
		bool is_inlined = dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine;

		if (!is_inlined && dwarf_tag(&scopes[i]) != DW_TAG_subprogram)
			continue;
		linkage = linkage_name(&scopes[i]);
		if (!linkage && !is_inlined)
			linkage = symbol;
		frame->function = linkage ? linkage : dwarf_diename(&scopes[i]);
		if (frame_filter_accepts(filter, frame) || !is_inlined)
			break;
		read_caller(&scopes[i], unit, frame);
	}
	free(scopes);
}

/* An absolute path where the unit says in which folder it was compiled; "." stands there when the
 * build mapped its folders away. */
static const char *absolute_path(struct arena *arena, const char *path, Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	const char *folder, *text;
	char *joined;

	folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	if (path[0] == '/' || !folder || !strcmp(folder, "."))
		return arena_text(arena, path);
	joined = memory_format("%s/%s", folder, path);
	text = arena_text(arena, joined);
	free(joined);
	return text;
}

static void resolve_frame(struct arena *arena, const struct symbols_file *file,
			  struct frame_filter *filter, struct trace_frame *frame)
{
	/* A return address may belong to the next line: the call is one byte before. */
	Dwarf_Addr address = frame->offset + file->bias - 1, bias = 0;
	Dwarf_Die *unit = find_unit(file->module, address, &bias);
	struct trace_frame found = *frame;

	found.function = dwfl_module_addrname(file->module, address);
	if (unit) {
		read_line(unit, address - bias, &found);
		walk_inlined(unit, address - bias, found.function, filter, &found);
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
}

typedef VECTOR(struct symbols_file) symbols_file_vector;

static const struct symbols_file *find_file(symbols_file_vector *files,
					    const struct trace_frame *frame)
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

void trace_resolve_sites(struct trace *trace)
{
	struct trace_private *private = trace->private;
	symbols_file_vector files = {0};
	size_t i;
	const struct symbols_file *file;
	struct map known = {0};
	int depth;

	/* A report must not wait for gigabytes of debug information from a server. */
	unsetenv("DEBUGINFOD_URLS");
	for (i = 0; i < trace->site_count; i++) {
		const struct trace_site *site = &trace->sites[i];
		struct frame_filter filter = {0};
		bool is_found = site->python_depth > 0;

		for (depth = 0; depth < site->depth; depth++) {
			struct trace_frame *frame =
				&private->frames
					 .items[site->frames - private->frames.items + depth];

			if (frame->file || !frame->module) {
				is_found |=
					frame_filter_accepts(&filter, frame) && !frame->is_library;
				continue;
			}
			/* A library's frame is told only where no better one calls it, and its
			 * symbols are many. */
			if (frame->is_library && is_found)
				continue;
			file = find_file(&files, frame);
			if (file->module && !copy_known(private, &known, file - files.items, frame))
				resolve_frame(&private->arena, file, &filter, frame);
			is_found |= frame_filter_accepts(&filter, frame) && !frame->is_library;
		}
	}
	for (i = 0; i < files.count; i++)
		if (files.items[i].dwfl)
			dwfl_end(files.items[i].dwfl);
	vector_free(&files);
	map_free(&known);
}
