#include "device_code.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(char *bytes, uint64_t number, size_t size)
{
	memcpy(bytes, &number, size);
}

void device_code_begin(struct device_code *section)
{
	char *header = section->bytes + section->size;

	memset(header, 0, DEVICE_CODE_CONTAINER_BYTES);
	put(header, 0xba55ed50, 4);
	put(header + 4, 1, 2);
	put(header + 6, DEVICE_CODE_CONTAINER_BYTES, 2);
	section->container = section->size;
	section->size += DEVICE_CODE_CONTAINER_BYTES;
}

void device_code_add(struct device_code *section, int kind, uint32_t architecture, uint64_t flags,
		     const char *bytes, size_t size, size_t unpacked_size)
{
	char *header = section->bytes + section->size;
	const size_t padded = (size + 7) / 8 * 8;

	memset(header, 0, DEVICE_CODE_ENTRY_BYTES + padded);
	put(header, (uint64_t)kind, 2);
	put(header + 2, 0x101, 2);
	put(header + 4, DEVICE_CODE_ENTRY_BYTES, 4);
	put(header + 8, padded, 8);
	put(header + 16, unpacked_size ? size : 0, 4);
	put(header + 28, architecture, 4);
	put(header + 40, flags, 8);
	put(header + 56, unpacked_size, 8);
	memcpy(header + DEVICE_CODE_ENTRY_BYTES, bytes, size);
	section->size += DEVICE_CODE_ENTRY_BYTES + padded;
	put(section->bytes + section->container + 8,
	    section->size - section->container - DEVICE_CODE_CONTAINER_BYTES, 8);
}

void device_code_add_text(struct device_code *section, uint32_t architecture, const char *text)
{
	device_code_add(section, 1, architecture, 0x11, text, strlen(text), 0);
}

void device_code_add_machine_code(struct device_code *section, uint32_t architecture)
{
	device_code_add(section, 2, architecture, 0x11, "code", 4, 0);
}

void device_code_write(const char *path, const struct device_code *section, const char *name,
		       size_t most)
{
	static const char names[] = "\0.shstrtab\0.nv_fatbin\0__nv_relfatbin";
	Elf64_Ehdr header = {.e_type = ET_DYN,
			     .e_machine = EM_X86_64,
			     .e_version = EV_CURRENT,
			     .e_ehsize = sizeof(header),
			     .e_shentsize = sizeof(Elf64_Shdr),
			     .e_shnum = 3,
			     .e_shstrndx = 1,
			     .e_shoff = sizeof(header)};
	Elf64_Shdr sections[3] = {
		[1] = {.sh_name = 1, .sh_type = SHT_STRTAB, .sh_size = sizeof(names)},
		[2] = {.sh_type = SHT_PROGBITS, .sh_size = section->size}};
	FILE *file;
	char *bytes;
	size_t size;

	memcpy(header.e_ident, ELFMAG, SELFMAG);
	header.e_ident[EI_CLASS] = ELFCLASS64;
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	header.e_ident[EI_VERSION] = EV_CURRENT;
	sections[1].sh_offset = sizeof(header) + sizeof(sections);
	sections[2].sh_offset = sections[1].sh_offset + sizeof(names);
	sections[2].sh_name = !strcmp(name, ".nv_fatbin") ? 11 : 22;
	file = open_memstream(&bytes, &size);
	fwrite(&header, sizeof(header), 1, file);
	fwrite(sections, sizeof(sections), 1, file);
	fwrite(names, sizeof(names), 1, file);
	fwrite(section->bytes, section->size, 1, file);
	fclose(file);
	file = fopen(path, "w");
	if (!file)
		abort();
	fwrite(bytes, size < most ? size : most, 1, file);
	fclose(file);
	free(bytes);
}
