#include "modules.h"

#include "fork_guard.h"

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
	char name[PATH_MAX]; /* as it was given to the loader; "" for the program */
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

	if (!module_holds(info, search->address))
		return 0;
	search->module->load_address = info->dlpi_addr;
	search->module->build_id[0] = '\0';
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		uint64_t note = info->dlpi_addr + segment->p_vaddr;

		/* A note that no segment loads is not in memory. */
		if (segment->p_type == PT_NOTE && segment->p_memsz && module_holds(info, note) &&
		    module_holds(info, note + segment->p_memsz - 1))
			note_build_id((const char *)note, segment->p_memsz,
				      search->module->build_id, sizeof(search->module->build_id));
	}
	snprintf(search->name, sizeof(search->name), "%s", info->dlpi_name ? info->dlpi_name : "");
	return 1;
}

/* Not in search_module(): the loader's lock is held there, and file systems can hang. */
static void find_path(struct search *search)
{
	ssize_t length;

	if (!search->name[0]) {
		length = readlink("/proc/self/exe", search->path, sizeof(search->path) - 1);
		search->path[length > 0 ? length : 0] = '\0';
	} else if (!realpath(search->name, search->path)) {
		/* Relative when LD_LIBRARY_PATH was, and the program has changed its folder. */
		memcpy(search->path, search->name, sizeof(search->path));
	}
}

bool module_find(uint64_t address, struct module *module)
{
	static struct search search; /* its path is the caller's until the next call */
	int found;

	search.address = address;
	search.module = module;
	fork_guard_enter();
	found = dl_iterate_phdr(search_module, &search);
	fork_guard_leave();
	if (!found)
		return false;
	find_path(&search);
	module->path = search.path;
	return true;
}
