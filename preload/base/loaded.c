#include "base/loaded.h"

#include "base/interpose.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct search {
	const char *stem;
	int left;
	char *path;
};

static int search_library(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;
	const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
	const char *base = slash ? slash + 1 : info->dlpi_name;

	if (!base || strncmp(base, search->stem, strlen(search->stem)) || search->left--)
		return 0;
	return snprintf(search->path, PATH_MAX, "%s", info->dlpi_name) < PATH_MAX;
}

bool loaded_library(const char *stem, int index, char path[PATH_MAX])
{
	struct search search = {.stem = stem, .left = index, .path = path};

	return dl_iterate_phdr(search_library, &search) != 0;
}

void *loaded_symbol(const char *stem, const char *name, const char *version)
{
	char path[PATH_MAX];
	void *symbol = NULL;

	for (int i = 0; !symbol && loaded_library(stem, i, path); i++) {
		void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);

		if (!library)
			continue;
		symbol = version ? dlvsym(library, name, version) : dlsym(library, name);
		dlclose(library);
	}
	return symbol;
}

static _Atomic uint64_t unloads;

FIND_REAL(dlclose)

static int take_unloads(struct dl_phdr_info *info, size_t size, void *data)
{
	atomic_store(&unloads, info->dlpi_subs);
	return 1;
}

EXPORT int dlclose(void *library)
{
	const int result = REAL(dlclose)(library);
	const int saved_errno = errno;

	dl_iterate_phdr(take_unloads, NULL);
	errno = saved_errno;
	return result;
}

uint64_t loaded_unloads(void)
{
	return atomic_load_explicit(&unloads, memory_order_acquire);
}
