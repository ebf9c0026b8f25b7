#include "resolve.h"

#include "loaded.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

/* Wheels mangle the file name (libcudart-d0da41ae.so.13): the stem is what stays. */
static void *find_in_loaded(const char *name)
{
	char path[PATH_MAX];
	void *function = NULL;

	for (int i = 0; !function && loaded_library("libcudart", i, path); i++) {
		void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);

		if (!library)
			continue;
		function = dlsym(library, name);
		dlclose(library); /* the program's own count keeps it loaded */
	}
	return function;
}

void *resolve_function(const char *name)
{
	int saved_errno = errno;
	void *function = dlsym(RTLD_NEXT, name);

	if (!function) {
		function = find_in_loaded(name);
		dlerror(); /* the program is not to find our failure there */
	}
	errno = saved_errno;
	return function;
}
