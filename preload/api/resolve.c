#include "api/resolve.h"

#include "api/cudarts.h"
#include "base/loaded.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>

/* Of some cudart in the global scope, and not an interposer's: those have no such versions. */
static bool is_of_cudart(const char *name, void *function)
{
#define IS_OF(id, node, ...)                                                                       \
	if (function == dlvsym(RTLD_NEXT, name, #node))                                            \
		return true;
	CUDARTS(IS_OF, )
#undef IS_OF
	return false;
}

static void *find_next(const char *name, const char *version)
{
	void *next = dlsym(RTLD_NEXT, name);

	return next && !is_of_cudart(name, next) ? next : dlvsym(RTLD_NEXT, name, version);
}

/* A plugin may take its cudart along when it goes, and come back with it elsewhere. */
static void keep_loaded(void *function)
{
	struct link_map *map;
	Dl_info info;

	if (dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP) && map->l_name[0])
		dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void *resolve_function(const char *name, const char *version)
{
	int saved_errno = errno;
	void *function = find_next(name, version);

	/* Wheels mangle the file name (libcudart-d0da41ae.so.13): the stem is what stays, and the
	 * symbols' versions. */
	if (!function)
		function = loaded_symbol("libcudart", name, version);
	if (!function)
		function = loaded_symbol("libcudart", name, NULL);
	if (function)
		keep_loaded(function);
	dlerror(); /* the program is not to find our failures there */
	errno = saved_errno;
	return function;
}
