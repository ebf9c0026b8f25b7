#include "stack/modules.h"

#include "base/fork_guard.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A segment that an address was found in: whole stacks are asked for, mostly of few modules. */
struct segment {
	uint64_t low, high;
	struct module module;
	char *path;
};

/* Those that were found since a module was last loaded or unloaded. */
static struct {
	struct segment *items;
	size_t count, capacity;
	unsigned long long loads, unloads;
} known;

struct search {
	uint64_t address;
	struct segment segment;
	bool is_checked;	     /* whether it is known */
	const struct segment *found; /* in known, or NULL */
	char name[PATH_MAX];	     /* as it was given to the loader; "" for the program */
	char path[PATH_MAX];
};

static bool find_segment(const struct dl_phdr_info *info, uint64_t address, struct segment *result)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t low = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD && address >= low &&
		    address < low + segment->p_memsz) {
			result->low = low;
			result->high = low + segment->p_memsz;
			return true;
		}
	}
	return false;
}

static bool module_contains(const struct dl_phdr_info *info, uint64_t address)
{
	struct segment segment;

	return find_segment(info, address, &segment);
}

static const struct segment *find_known(const struct dl_phdr_info *info, uint64_t address)
{
	if (known.loads != info->dlpi_adds || known.unloads != info->dlpi_subs) {
		for (size_t i = 0; i < known.count; i++)
			free(known.items[i].path);
		known.count = 0;
		known.loads = info->dlpi_adds;
		known.unloads = info->dlpi_subs;
	}
	for (size_t i = 0; i < known.count; i++)
		if (address >= known.items[i].low && address < known.items[i].high)
			return &known.items[i];
	return NULL;
}

/* Not in search_module(), as find_path(). Without memory it is searched for again. */
static void remember(const struct segment *segment, const char *path)
{
	if (known.count == known.capacity) {
		size_t capacity = known.capacity ? known.capacity * 2 : 16;
		struct segment *bigger = realloc(known.items, capacity * sizeof(*bigger));

		if (!bigger)
			return;
		known.items = bigger;
		known.capacity = capacity;
	}
	known.items[known.count] = *segment;
	known.items[known.count].path = strdup(path);
	known.count += known.items[known.count].path != NULL;
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
	struct module *module = &search->segment.module;

	if (!search->is_checked)
		search->found = find_known(info, search->address);
	search->is_checked = true;
	if (search->found)
		return 1;
	if (!find_segment(info, search->address, &search->segment))
		return 0;
	module->load_address = info->dlpi_addr;
	module->build_id[0] = '\0';
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t note = info->dlpi_addr + segment->p_vaddr;

		/* A note that no segment loads is not in memory. */
		if (segment->p_type == PT_NOTE && segment->p_memsz && module_contains(info, note) &&
		    module_contains(info, note + segment->p_memsz - 1))
			note_build_id((const char *)note, segment->p_memsz, module->build_id,
				      sizeof(module->build_id));
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
	bool is_found;

	search.address = address;
	search.is_checked = false;
	search.found = NULL;
	fork_guard_enter();
	is_found = dl_iterate_phdr(search_module, &search) != 0;
	fork_guard_leave();
	if (!is_found)
		return false;
	if (search.found) {
		*module = search.found->module;
		module->path = search.found->path;
		return true;
	}
	find_path(&search);
	remember(&search.segment, search.path);
	*module = search.segment.module;
	module->path = search.path;
	return true;
}

void modules_after_fork(void)
{
	memset(&known, 0, sizeof(known));
}
