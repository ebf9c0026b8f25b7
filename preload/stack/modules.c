#include "stack/modules.h"

#include "base/atoms.h"

#include <elf.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_BYTES 1024 /* on the stack; a module with a longer name is not recorded */

/* The smallest page size of Linux: a file's mapping has at least this many bytes. */
#define FIRST_PAGE_BYTES 4096

_Static_assert(MODULES_MOST < 1 << (64 - MODULE_ADDRESS_BITS), "a number fits above an address");

/* Entries are only added. The addresses are written first; atom NULL: not complete yet. */
struct entry {
	_Atomic uint64_t low, high;
	_Atomic(const struct atom *) atom; /* its words are a struct module */
	_Atomic bool is_closed;
};

static struct entry entries[MODULES_MOST];
static _Atomic uint32_t added_count;

/* The number found by this thread's last search: neighbouring frames lie in few modules. */
static __thread uint32_t last __attribute__((tls_model("initial-exec")));

static uint32_t entry_count(void)
{
	const uint32_t count = atomic_load_explicit(&added_count, memory_order_acquire);

	return count < MODULES_MOST ? count : MODULES_MOST;
}

static bool has_address(const struct entry *entry, uint64_t address)
{
	return atomic_load_explicit(&entry->atom, memory_order_acquire) &&
	       address >= atomic_load_explicit(&entry->low, memory_order_relaxed) &&
	       address < atomic_load_explicit(&entry->high, memory_order_relaxed) &&
	       !atomic_load_explicit(&entry->is_closed, memory_order_relaxed);
}

/* Returns the first match, so that all threads agree if two have added a module at once. */
static uint32_t find_known(uint64_t address)
{
	const uint32_t count = entry_count();

	for (uint32_t i = 0; i < count; i++)
		if (has_address(&entries[i], address))
			return i + 1;
	return 0;
}

static void note_build_id(const char *note, size_t size, char *build_id, size_t build_id_size)
{
	static const char digits[] = "0123456789abcdef";

	while (size >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *header = (const void *)note;
		size_t name = (header->n_namesz + 3u) & ~3u;
		size_t whole = sizeof(*header) + name + ((header->n_descsz + 3u) & ~3u);
		const unsigned char *id = (const unsigned char *)note + sizeof(*header) + name;

		if (whole > size)
			return;
		if (header->n_type == NT_GNU_BUILD_ID && header->n_namesz == 4 &&
		    !memcmp(note + sizeof(*header), "GNU", 4)) {
			for (uint32_t i = 0; i < header->n_descsz && 2 * i + 2 < build_id_size;
			     i++) {
				build_id[2 * i] = digits[id[i] >> 4];
				build_id[2 * i + 1] = digits[id[i] & 15];
			}
			return;
		}
		note += whole;
		size -= whole;
	}
}

/* A note outside of all loaded segments is not in memory. */
static bool is_in_memory(const ElfW(Phdr) * headers, int count, const ElfW(Phdr) * note)
{
	for (int i = 0; i < count; i++)
		if (headers[i].p_type == PT_LOAD && note->p_vaddr >= headers[i].p_vaddr &&
		    note->p_vaddr + note->p_memsz <= headers[i].p_vaddr + headers[i].p_memsz)
			return true;
	return false;
}

/* Reads the first page, which holds the file's header if a segment loads it. */
static void find_build_id(const struct dl_find_object *found, struct module *module)
{
	const char *start = found->dlfo_map_start;
	const ElfW(Ehdr) *header = (const void *)start;
	const ElfW(Phdr) *headers = (const void *)(start + header->e_phoff);

	if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
	    header->e_phoff + header->e_phnum * sizeof(*headers) > FIRST_PAGE_BYTES)
		return;
	for (int i = 0; i < header->e_phnum; i++)
		if (headers[i].p_type == PT_NOTE &&
		    is_in_memory(headers, header->e_phnum, &headers[i]))
			note_build_id((const char *)(module->load_address + headers[i].p_vaddr),
				      headers[i].p_memsz, module->build_id,
				      sizeof(module->build_id));
}

/* NULL: no room, or its name is too long. */
static __attribute__((noinline)) const struct atom *
intern_module(const struct dl_find_object *found)
{
	uint64_t words[(sizeof(struct module) + NAME_BYTES) / sizeof(uint64_t)] = {0};
	const char *name = found->dlfo_link_map->l_name;
	const size_t bytes = strlen(name) + 1;
	struct module *module = (struct module *)words;

	if (bytes > NAME_BYTES)
		return NULL;
	module->load_address = found->dlfo_link_map->l_addr;
	module->low = (uint64_t)found->dlfo_map_start;
	module->high = (uint64_t)found->dlfo_map_end;
	find_build_id(found, module);
	memcpy(module->name, name, bytes);
	return atom_intern(&(struct atom_text){.words = words,
					       .count = (uint16_t)((sizeof(*module) + bytes + 7) /
								   sizeof(uint64_t)),
					       .kind = ATOM_MODULE},
			   ATOM_ADD);
}

static const struct module *module_of(const struct entry *entry)
{
	const struct atom *atom = atomic_load_explicit(&entry->atom, memory_order_acquire);

	return atom ? (const struct module *)atom->words : NULL;
}

/* False: the atom has no entry yet. */
static bool open_again(const struct atom *atom)
{
	const uint32_t count = entry_count();

	for (uint32_t i = 0; i < count; i++)
		if (atomic_load(&entries[i].atom) == atom) {
			atomic_store(&entries[i].is_closed, false);
			return true;
		}
	return false;
}

static __attribute__((noinline)) uint32_t add_known(uint64_t address, const struct link_map **added)
{
	const struct module *module;
	const struct atom *atom;
	struct dl_find_object found;
	uint32_t index;

	if (_dl_find_object((void *)address, &found))
		return 0;
	atom = intern_module(&found);
	if (!atom)
		return 0;
	*added = found.dlfo_link_map;
	if (open_again(atom))
		return find_known(address);
	index = atomic_load(&added_count);
	if (index >= MODULES_MOST)
		return 0;
	index = atomic_fetch_add(&added_count, 1);
	if (index >= MODULES_MOST)
		return 0;
	module = (const struct module *)atom->words;
	atomic_store_explicit(&entries[index].low, module->low, memory_order_relaxed);
	atomic_store_explicit(&entries[index].high, module->high, memory_order_relaxed);
	atomic_store_explicit(&entries[index].atom, atom, memory_order_release);
	return find_known(address);
}

uint32_t modules_number(uint64_t address, const struct link_map **added)
{
	const uint32_t before = last;

	if (before && has_address(&entries[before - 1], address))
		return before;
	last = find_known(address);
	if (!last)
		last = add_known(address, added);
	return last;
}

uint32_t modules_known(uint64_t address)
{
	return find_known(address);
}

const struct module *modules_get(uint32_t number)
{
	return number && number <= entry_count() ? module_of(&entries[number - 1]) : NULL;
}

void modules_path(const struct module *module, char path[PATH_MAX])
{
	ssize_t length;

	if (!module->name[0]) {
		length = readlink("/proc/self/exe", path, PATH_MAX - 1);
		path[length > 0 ? length : 0] = '\0';
	} else if (!realpath(module->name, path)) {
		/* Relative if LD_LIBRARY_PATH was, and the program has changed its folder since. */
		snprintf(path, PATH_MAX, "%s", module->name);
	}
}

static bool is_loaded(const struct module *module)
{
	struct dl_find_object found;

	return !_dl_find_object((void *)module->low, &found) &&
	       (uint64_t)found.dlfo_map_start == module->low &&
	       found.dlfo_link_map->l_addr == module->load_address &&
	       !strcmp(found.dlfo_link_map->l_name, module->name);
}

void modules_find_closed(void (*closed)(uint64_t low, uint64_t high))
{
	const uint32_t count = entry_count();

	for (uint32_t i = 0; i < count; i++) {
		const struct module *module = module_of(&entries[i]);

		if (!module || atomic_load(&entries[i].is_closed) || is_loaded(module))
			continue;
		atomic_store(&entries[i].is_closed, true);
		closed(module->low, module->high);
	}
}
