#include "ptx/machine_code.h"

#include <gelf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool machine_code_is(const char *bytes, size_t size)
{
	return size >= SELFMAG && !memcmp(bytes, ELFMAG, SELFMAG);
}

static char *copy_text(const char *lines, size_t size, size_t *text_size)
{
	char *text = malloc(size + 1);

	if (!text)
		return NULL;
	for (size_t i = 0; i < size; i++)
		text[i] = (char)(lines[i] ? lines[i] : '\n');
	text[size] = '\0';
	*text_size = size;
	return text;
}

char *machine_code_text(const char *bytes, size_t size, size_t *text_size)
{
	Elf *elf;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	char *text = NULL;
	size_t names;

	elf_version(EV_CURRENT);
	elf = elf_memory((char *)bytes, size);
	if (elf && !elf_getshdrstrndx(elf, &names)) {
		while (!text && (section = elf_nextscn(elf, section))) {
			const char *name = gelf_getshdr(section, &header)
						   ? elf_strptr(elf, names, header.sh_name)
						   : NULL;

			if (name && !strcmp(name, ".nv_debug_ptx_txt") &&
			    header.sh_type != SHT_NOBITS && header.sh_offset <= size &&
			    header.sh_size <= size - header.sh_offset)
				text = copy_text(bytes + header.sh_offset, header.sh_size,
						 text_size);
		}
	}
	elf_end(elf);
	return text;
}

const char *machine_code_kernel(const char *bytes, size_t size, const char **at)
{
	/* A section's name may be the end of another's, as of .rela.text.NAME. */
	static const char section[] = ".text.";
	const char *name = memmem(*at, size - (size_t)(*at - bytes), section, strlen(section));
	const char *end;

	if (!name)
		return NULL;
	name += strlen(section);
	end = memchr(name, '\0', size - (size_t)(name - bytes));
	if (!end)
		return NULL;
	*at = end;
	return name;
}
