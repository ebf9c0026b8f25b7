#include "resolve.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

struct search {
	const char *name;
	void *function;
};

/* Wheels mangle the file name (libcudart-d0da41ae.so.13): the stem is what stays. */
static int search_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;
	const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
	const char *base = slash ? slash + 1 : info->dlpi_name;
	void *library;

	if (!base || strncmp(base, "libcudart", strlen("libcudart")))
		return 0;
	library = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
	if (!library)
		return 0;
	search->function = dlsym(library, search->name);
	dlclose(library); /* the count of users goes back; the program's own keeps it loaded */
	return search->function != NULL;
}

void *resolve_function(const char *name)
{
	int saved_errno = errno;
	struct search search = {.name = name, .function = dlsym(RTLD_NEXT, name)};

	if (!search.function)
		dl_iterate_phdr(search_module, &search);
	errno = saved_errno;
	return search.function;
}
