#include "nccl/nccl_library.h"

#include "base/loaded.h"

#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

/* Modules that call NCCL; each counts again after a dlclose(). Functions of further modules are
 * looked up at each call. */
#define MODULES_MOST 64

/* Libraries searched for a module's NCCL. */
#define DEPENDENCIES_MOST 48

struct module {
	_Atomic uint64_t unloads; /* loaded_unloads() when it was added: later another module may
				   * lie here */
	_Atomic uintptr_t first, last; /* last: 0 until all is set */
	_Atomic(void *) functions[NCCL_FUNCTIONS];
};

static const char *const names[NCCL_FUNCTIONS] = {
#define NCCL_CALL(name, parameters, arguments, before, after) #name,
#include "nccl/nccl_calls.def"
	"ncclCommCount", "ncclCommUserRank", "ncclCommCuDevice"};

static struct module modules[MODULES_MOST];
static _Atomic int module_count;

/* Searches the newest first. Entries from before an unload are followed only by older ones, so the
 * search ends there. */
static struct module *known_module(uintptr_t address)
{
	const int count = atomic_load_explicit(&module_count, memory_order_acquire);
	const uint64_t unloads = loaded_unloads();

	for (int i = count < MODULES_MOST ? count - 1 : MODULES_MOST - 1; i >= 0; i--) {
		struct module *module = &modules[i];
		const uintptr_t last = atomic_load_explicit(&module->last, memory_order_acquire);

		if (last && atomic_load_explicit(&module->unloads, memory_order_relaxed) != unloads)
			return NULL;
		if (address < last &&
		    address >= atomic_load_explicit(&module->first, memory_order_relaxed))
			return module;
	}
	return NULL;
}

/* NULL: the address is in no module, or no room. Two threads may add the same module. */
static struct module *add_module(uintptr_t address)
{
	const uint64_t unloads = loaded_unloads();
	struct dl_find_object found;
	int index;

	if (atomic_load(&module_count) >= MODULES_MOST || _dl_find_object((void *)address, &found))
		return NULL;
	index = atomic_fetch_add(&module_count, 1);
	if (index >= MODULES_MOST)
		return NULL;
	atomic_store_explicit(&modules[index].unloads, unloads, memory_order_relaxed);
	atomic_store_explicit(&modules[index].first, (uintptr_t)found.dlfo_map_start,
			      memory_order_relaxed);
	atomic_store_explicit(&modules[index].last, (uintptr_t)found.dlfo_map_end,
			      memory_order_release);
	return &modules[index];
}

struct search {
	const char *name;
	const char *file; /* file name of the library looked for */
	struct symbols symbols;
	void *function;
};

static bool look_behind_us(const struct loaded *library, void *data)
{
	struct search *search = data;

	if (library->is_next)
		search->function =
			symbols_find(&library->symbols, search->name, SYMBOLS_NO_VERSION);
	return search->function != NULL;
}

static bool look_for_file(const struct loaded *library, void *data)
{
	struct search *search = data;
	const char *own_name = symbols_own_name(&library->symbols);

	if (strcmp(library->file, search->file) && (!own_name || strcmp(own_name, search->file)))
		return false;
	search->symbols = library->symbols;
	return true;
}

/* Appends the library, unless it is among the first *count. */
static void add_library(struct symbols *libraries, int *count, const struct symbols *added)
{
	for (int i = 0; i < *count; i++)
		if (libraries[i].dynamic == added->dynamic)
			return;
	if (*count < DEPENDENCIES_MOST)
		libraries[(*count)++] = *added;
}

/* Searches the first library, then its dependencies breadth first. */
static void *find_in(struct symbols *libraries, const char *name)
{
	struct search search = {.name = name};
	void *function = NULL;
	int count = 1;

	for (int i = 0; i < count && !function; i++) {
		function = symbols_find(&libraries[i], name, SYMBOLS_NO_VERSION);
		search.file = NULL;
		while ((search.file = symbols_needed(&libraries[i], search.file)))
			if (loaded_each(look_for_file, &search))
				add_library(libraries, &count, &search.symbols);
	}
	return function;
}

/* Searches as the loader would for the module. The module's code is on this thread's stack, which
 * keeps the libraries loaded. Their list is mapped, because the stack may be small. */
static void *find_for_module(const char *name, uintptr_t address)
{
	const size_t bytes = DEPENDENCIES_MOST * sizeof(struct symbols);
	struct dl_find_object found;
	struct symbols *libraries;
	void *function = NULL;

	if (_dl_find_object((void *)address, &found))
		return NULL;
	libraries = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (libraries == MAP_FAILED)
		return NULL;
	if (symbols_read(libraries, found.dlfo_link_map->l_addr, found.dlfo_link_map->l_ld))
		function = find_in(libraries, name);
	munmap(libraries, bytes);
	return function;
}

/* Skips the caller's own module, which stays loaded while it calls. */
static void keep_loaded(void *function, uintptr_t caller)
{
	struct dl_find_object of_function, of_caller;

	if (!_dl_find_object(function, &of_function) &&
	    (_dl_find_object((void *)caller, &of_caller) ||
	     of_caller.dlfo_link_map != of_function.dlfo_link_map))
		loaded_keep(function);
}

static void *find_function(const char *name, uintptr_t address)
{
	struct search search = {.name = name};
	void *function = NULL;

	if (loaded_each(look_behind_us, &search))
		function = search.function;
	if (!function)
		function = find_for_module(name, address);
	if (function)
		keep_loaded(function, address);
	else
		function = loaded_symbol("libnccl", name, NULL);
	return function;
}

static __attribute__((noinline)) void *find_slowly(enum nccl_function function, uintptr_t address)
{
	const int saved_errno = errno;
	struct module *module;
	void *found;

	module = known_module(address);
	found = find_function(names[function], address);
	if (!module)
		module = add_module(address);
	if (module && found)
		atomic_store_explicit(&module->functions[function], found, memory_order_release);
	errno = saved_errno;
	return found;
}

void *nccl_library_function(enum nccl_function function, uintptr_t return_address)
{
	struct module *module = known_module(return_address);
	void *found =
		module ? atomic_load_explicit(&module->functions[function], memory_order_acquire)
		       : NULL;

	return found ? found : find_slowly(function, return_address);
}
