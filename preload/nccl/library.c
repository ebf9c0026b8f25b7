#include "nccl/library.h"

#include "base/loaded.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>

/* Modules that call NCCL, and again behind each that was closed; further ones are asked for each time. */
#define MODULES_MOST 64

struct module {
	_Atomic uint64_t unloads; /* loaded_unloads(): where a module was, another one can be */
	_Atomic uintptr_t first, last; /* last: 0 until the rest is there */
	_Atomic(void *) functions[NCCL_FUNCTIONS];
};

static const char *const names[NCCL_FUNCTIONS] = {
#define NCCL_CALL(name, parameters, arguments, before, after) #name,
#include "nccl/calls.def"
	"ncclCommCount", "ncclCommUserRank", "ncclCommCuDevice"};

static struct module modules[MODULES_MOST];
static _Atomic int module_count;

struct range {
	uintptr_t address, first, last;
};

static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
	struct range *range = data;
	uintptr_t first = UINTPTR_MAX, last = 0;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		first = start < first ? start : first;
		if (start + info->dlpi_phdr[i].p_memsz > last)
			last = start + info->dlpi_phdr[i].p_memsz;
	}
	if (range->address < first || range->address >= last)
		return 0;
	range->first = first;
	range->last = last;
	return 1;
}

/* The newest first: all behind one from before an unload are as old, or will be added again. */
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

/* NULL: its code is in no module, or there is no room. Two threads may add the same one. */
static struct module *add_module(uintptr_t address)
{
	const uint64_t unloads = loaded_unloads();
	struct range range = {.address = address};
	int index;

	if (atomic_load(&module_count) >= MODULES_MOST || !dl_iterate_phdr(look_at, &range))
		return NULL;
	index = atomic_fetch_add(&module_count, 1);
	if (index >= MODULES_MOST)
		return NULL;
	atomic_store_explicit(&modules[index].unloads, unloads, memory_order_relaxed);
	atomic_store_explicit(&modules[index].first, range.first, memory_order_relaxed);
	atomic_store_explicit(&modules[index].last, range.last, memory_order_release);
	return &modules[index];
}

/* As the loader finds it for the module, and stays: a module may be closed that took it along. */
static void *find_for_module(const char *name, uintptr_t address)
{
	struct link_map *map;
	void *library, *function;
	Dl_info info;

	if (!dladdr1((void *)address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map->l_name[0])
		return NULL;
	library = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
	function = library ? dlsym(library, name) : NULL;
	if (library)
		dlclose(library);
	return function;
}

/* Not the caller's own module, which is there as long as it calls. */
static void keep_loaded(void *function, uintptr_t caller)
{
	struct link_map *map;
	Dl_info info, of_caller;

	if (!dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP) || !map->l_name[0])
		return;
	if (!dladdr((void *)caller, &of_caller) || of_caller.dli_fbase != info.dli_fbase)
		dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

static void *find(const char *name, uintptr_t address)
{
	void *function = dlsym(RTLD_NEXT, name);

	if (!function)
		function = find_for_module(name, address);
	if (!function)
		function = loaded_symbol("libnccl", name, NULL);
	if (function)
		keep_loaded(function, address);
	return function;
}

static __attribute__((noinline)) void *find_slowly(enum nccl_function function, uintptr_t address)
{
	const int saved_errno = errno;
	struct module *module;
	void *found;

	module = known_module(address);
	found = find(names[function], address);
	if (!module)
		module = add_module(address);
	if (module && found)
		atomic_store_explicit(&module->functions[function], found, memory_order_release);
	dlerror(); /* the program is not to find our failures there */
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
