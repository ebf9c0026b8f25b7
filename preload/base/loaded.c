#include "base/loaded.h"

#include "base/interpose.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Libraries that are kept: a cudart or two, the driver, an NCCL or two. */
#define KEPT_MOST 64

/* Where this code is loaded. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

/* The number of libraries at the program's start; 0: not counted yet. */
static _Atomic int started_with;

static int count_library(struct dl_phdr_info *info, size_t size, void *data)
{
	++*(int *)data;
	return 0;
}

__attribute__((constructor)) static void count_libraries(void)
{
	int count = 0;

	dl_iterate_phdr(count_library, &count);
	atomic_store(&started_with, count);
}

static const char *file_of(const struct dl_phdr_info *info)
{
	const char *name = info->dlpi_name ? info->dlpi_name : "";
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

static bool begins_with(const char *text, const char *stem)
{
	return !strncmp(text, stem, strlen(stem));
}

struct walk {
	bool (*look)(const struct loaded *library, void *data);
	void *data;
	int index;
	bool is_behind; /* this code's library */
};

static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
	struct walk *walk = data;
	const int at_start = atomic_load(&started_with), index = walk->index++;
	struct loaded library = {.file = file_of(info),
				 .is_next = walk->is_behind && (!at_start || index < at_start)};

	if (info->dlpi_addr == (ElfW(Addr)) & __ehdr_start) {
		walk->is_behind = true;
		return 0;
	}
	return symbols_of(&library.symbols, info) && walk->look(&library, walk->data);
}

bool loaded_each(bool (*look)(const struct loaded *library, void *data), void *data)
{
	struct walk walk = {.look = look, .data = data};

	return dl_iterate_phdr(look_at, &walk) != 0;
}

struct search {
	const char *stem;
	int left;
	char *path;
};

static int search_library(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;

	if (!begins_with(file_of(info), search->stem) || search->left--)
		return 0;
	return snprintf(search->path, PATH_MAX, "%s", info->dlpi_name) < PATH_MAX;
}

bool loaded_library(const char *stem, int index, char path[PATH_MAX])
{
	struct search search = {.stem = stem, .left = index, .path = path};

	return dl_iterate_phdr(search_library, &search) != 0;
}

static int look_for_address(struct dl_phdr_info *info, size_t size, void *data)
{
	const uintptr_t offset = (uintptr_t)data - info->dlpi_addr;

	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD &&
		    offset - info->dlpi_phdr[i].p_vaddr < info->dlpi_phdr[i].p_memsz)
			return 1;
	return 0;
}

bool loaded_contains(const void *address)
{
	return dl_iterate_phdr(look_for_address, (void *)address) != 0;
}

struct wanted {
	const char *stem, *name, *version;
	void *symbol;
};

static bool look_for_symbol(const struct loaded *library, void *data)
{
	struct wanted *wanted = data;
	unsigned version = SYMBOLS_NO_VERSION;

	if (!begins_with(library->file, wanted->stem))
		return false;
	if (wanted->version)
		version = symbols_version(&library->symbols, wanted->version);
	if (!wanted->version || version != SYMBOLS_NO_VERSION)
		wanted->symbol = symbols_find(&library->symbols, wanted->name, version);
	if (wanted->symbol)
		loaded_keep(wanted->symbol);
	return wanted->symbol != NULL;
}

void *loaded_symbol(const char *stem, const char *name, const char *version)
{
	struct wanted wanted = {.stem = stem, .name = name, .version = version};

	loaded_each(look_for_symbol, &wanted);
	return wanted.symbol;
}

/* The start address of each library that is to stay; bit IS_HELD: the loader was told. */
static _Atomic uintptr_t kept[KEPT_MOST];
#define IS_HELD ((uintptr_t)1)

void loaded_keep(void *function)
{
	struct dl_find_object found;
	uintptr_t start, free_slot;

	if (_dl_find_object(function, &found))
		return;
	start = (uintptr_t)found.dlfo_map_start;
	for (int i = 0; i < KEPT_MOST; i++) {
		free_slot = 0;
		if (atomic_compare_exchange_strong(&kept[i], &free_slot, start) ||
		    (free_slot & ~IS_HELD) == start)
			return;
	}
}

static void hold_library(uintptr_t start)
{
	struct dl_find_object found;

	if (!_dl_find_object((void *)start, &found) && found.dlfo_link_map->l_name[0])
		dlopen(found.dlfo_link_map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* Takes the loader's lock, which dlclose() will take anyway. Only a thread that closes a library
 * may wait for it; a thread that calls one of the library's functions may not. */
static void hold_kept(void)
{
	for (int i = 0; i < KEPT_MOST; i++) {
		const uintptr_t start = atomic_load(&kept[i]);

		if (!start)
			return;
		if (start & IS_HELD)
			continue;
		hold_library(start);
		atomic_store(&kept[i], start | IS_HELD);
	}
}

static _Atomic uint64_t unloads;
static void (*_Atomic tell)(void);

FIND_REAL(dlclose)

static int take_unloads(struct dl_phdr_info *info, size_t size, void *data)
{
	void (*function)(void) = atomic_load(&tell);

	if (atomic_exchange(&unloads, info->dlpi_subs) != info->dlpi_subs && function)
		function();
	return 1;
}

EXPORT int dlclose(void *library)
{
	int saved_errno = errno, result;

	hold_kept();
	errno = saved_errno;
	result = REAL(dlclose)(library);
	saved_errno = errno;
	dl_iterate_phdr(take_unloads, NULL);
	errno = saved_errno;
	return result;
}

void loaded_tell_unloads(void (*function)(void))
{
	atomic_store(&tell, function);
}

uint64_t loaded_unloads(void)
{
	return atomic_load_explicit(&unloads, memory_order_acquire);
}
