#include "commands/elf_program.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#define MOST_SEGMENTS 64
#define MOST_ENTRIES  4096 /* of the dynamic section */

struct reading {
	int file;
	Elf64_Phdr segments[MOST_SEGMENTS];
	int segment_count;
};

static bool read_at(int file, void *bytes, size_t size, uint64_t offset)
{
	return offset <= INT64_MAX && pread(file, bytes, size, (off_t)offset) == (ssize_t)size;
}

/* The text at the offset, cut where it does not fit. */
static void read_text(int file, char *text, size_t size, uint64_t offset)
{
	ssize_t got = offset <= INT64_MAX ? pread(file, text, size - 1, (off_t)offset) : -1;

	text[got > 0 ? got : 0] = '\0';
}

static bool read_segments(struct reading *reading)
{
	Elf64_Ehdr header;

	if (!read_at(reading->file, &header, sizeof(header), 0) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64 ||
	    header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum > MOST_SEGMENTS)
		return false;
	reading->segment_count = header.e_phnum;
	return read_at(reading->file, reading->segments,
		       header.e_phnum * sizeof(*reading->segments), header.e_phoff);
}

static const Elf64_Phdr *find_segment(const struct reading *reading, uint32_t type)
{
	for (int i = 0; i < reading->segment_count; i++)
		if (reading->segments[i].p_type == type)
			return &reading->segments[i];
	return NULL;
}

/* Where in the file the address is; UINT64_MAX: nowhere. */
static uint64_t offset_of(const struct reading *reading, uint64_t address)
{
	for (int i = 0; i < reading->segment_count; i++) {
		const Elf64_Phdr *segment = &reading->segments[i];

		if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
		    address - segment->p_vaddr < segment->p_filesz)
			return segment->p_offset + (address - segment->p_vaddr);
	}
	return UINT64_MAX;
}

/* The entry of the dynamic section; false: that was the last. */
static bool read_entry(const struct reading *reading, const Elf64_Phdr *dynamic, uint64_t index,
		       Elf64_Dyn *entry)
{
	return index < MOST_ENTRIES && (index + 1) * sizeof(*entry) <= dynamic->p_filesz &&
	       read_at(reading->file, entry, sizeof(*entry),
		       dynamic->p_offset + index * sizeof(*entry)) &&
	       entry->d_tag != DT_NULL;
}

static bool is_asan(const char *library)
{
	return !strncmp(library, "libasan.so", 10) || !strncmp(library, "libclang_rt.asan", 16);
}

static bool needs_asan(const struct reading *reading)
{
	const Elf64_Phdr *dynamic = find_segment(reading, PT_DYNAMIC);
	uint64_t texts = UINT64_MAX;
	Elf64_Dyn entry;
	char library[64];

	for (uint64_t i = 0; dynamic && read_entry(reading, dynamic, i, &entry); i++)
		if (entry.d_tag == DT_STRTAB)
			texts = offset_of(reading, entry.d_un.d_ptr);
	if (texts == UINT64_MAX)
		return false;
	for (uint64_t i = 0; read_entry(reading, dynamic, i, &entry); i++) {
		if (entry.d_tag != DT_NEEDED || entry.d_un.d_val > UINT32_MAX)
			continue;
		read_text(reading->file, library, sizeof(library), texts + entry.d_un.d_val);
		if (is_asan(library))
			return true;
	}
	return false;
}

struct elf_program elf_program_read(int file)
{
	struct elf_program program = {0};
	struct reading reading = {.file = file};
	const Elf64_Phdr *loader;

	if (!read_segments(&reading))
		return program;
	program.is_program = true;
	loader = find_segment(&reading, PT_INTERP);
	if (loader)
		read_text(file, program.loader, sizeof(program.loader), loader->p_offset);
	program.needs_asan = needs_asan(&reading);
	return program;
}
