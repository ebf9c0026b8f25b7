#include "modules.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct search {
	uint64_t address;
	struct module *module;
	char path[PATH_MAX];
};

static bool module_holds(const struct dl_phdr_info *info, uint64_t address)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t low = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD && address >= low &&
		    address < low + segment->p_memsz)
			return true;
	}
	return false;
}

static void note_build_id(const char *note, size_t size, char *build_id, size_t build_id_size)
{
	while (size >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *header = (const void *)note;
		size_t name = (header->n_namesz + 3u) & ~3u;
		size_t whole = sizeof(*header) + name + ((header->n_descsz + 3u) & ~3u);
		const unsigned char *id = (const unsigned char *)note + sizeof(*header) + name;

		if (whole > size)
			return;
		if (header->n_type == NT_GNU_BUILD_ID && header->n_namesz == 4 &&
		    !memcmp(note + sizeof(*header), "GNU", 4)) {
			for (uint32_t i = 0; i < header->n_descsz && 2 * i + 2 < build_id_size; i++)
				snprintf(build_id + 2 * i, 3, "%02x", id[i]);
			return;
		}
		note += whole;
		size -= whole;
	}
}

static int search_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;
	ssize_t length;

	if (!module_holds(info, search->address))
		return 0;
	search->module->load_address = info->dlpi_addr;
	search->module->build_id[0] = '\0';
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type == PT_NOTE)
			note_build_id((const char *)(info->dlpi_addr + segment->p_vaddr),
				      segment->p_memsz, search->module->build_id,
				      sizeof(search->module->build_id));
	}
	if (info->dlpi_name && info->dlpi_name[0]) {
		/* As it was given to the loader: relative when LD_LIBRARY_PATH was. */
		if (!realpath(info->dlpi_name, search->path))
			snprintf(search->path, sizeof(search->path), "%s", info->dlpi_name);
	} else {
		length = readlink("/proc/self/exe", search->path, sizeof(search->path) - 1);
		search->path[length > 0 ? length : 0] = '\0';
	}
	return 1;
}

bool module_find(uint64_t address, struct module *module)
{
	static struct search search; /* its path is the caller's until the next call */

	search.address = address;
	search.module = module;
	if (!dl_iterate_phdr(search_module, &search))
		return false;
	module->path = search.path;
	return true;
}
