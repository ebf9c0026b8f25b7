/*
 * The program of api_path_test.c: `api_path_app API_PATH...`, each run in turn: `own` (linked
 * into the program), or MODE:PLUGIN:
 *   local, deep                 dlopen() with RTLD_LOCAL, with RTLD_DEEPBIND
 *   handle, default, next       its functions come from dlsym(handle of libcudart.so.13),
 *                               dlsym(RTLD_DEFAULT), dlsym(RTLD_NEXT)
 *   again                       loaded, run, unloaded with all that it brought; then once more, in
 *                               another address range
 * Prints what libcudart.so.12 of the fronts was called for, if it is there.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "api_path.h"

static void *load(const char *path, int flags)
{
	void *plugin = dlopen(path, RTLD_NOW | flags);

	if (!plugin)
		fprintf(stderr, "api_path_app: %s\n", dlerror());
	return plugin;
}

static int run(void *plugin, void *scope)
{
	int (*work)(void) = NULL;
	void **plugin_scope = dlsym(plugin, "api_path_scope");

	if (plugin_scope)
		*plugin_scope = scope;
	*(void **)&work = dlsym(plugin, "api_path_work");
	return work ? work() : -1;
}

/* Occupies the addresses of the plugin's cudart, if it was unloaded. */
static void block(const void *base)
{
	enum { SPAN = 4096 };

	mmap((void *)base, SPAN, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
	     0);
}

static int run_again(const char *path)
{
	void *plugin = load(path, RTLD_LOCAL);
	Dl_info cudart = {0};
	int error;

	if (!plugin)
		return -1;
	error = run(plugin, NULL);
	dladdr(dlsym(plugin, "fake_front_calls"), &cudart);
	dlclose(plugin);
	block(cudart.dli_fbase);
	plugin = load(path, RTLD_LOCAL);
	return plugin ? error | run(plugin, NULL) : -1;
}

static int run_api_path(const char *api_path)
{
	const char *path = strchr(api_path, ':');
	const size_t mode = path ? (size_t)(path - api_path) : 0;
	void *plugin, *scope = NULL;

#ifdef API_PATH_OWN
	if (!strcmp(api_path, "own"))
		return api_path_work();
#endif
	if (!path)
		return -1;
	if (!strncmp(api_path, "again", mode))
		return run_again(path + 1);
	if (!strncmp(api_path, "handle", mode))
		scope = load("libcudart.so.13", RTLD_LOCAL);
	if (!strncmp(api_path, "next", mode))
		scope = RTLD_NEXT;
	plugin = load(path + 1, strncmp(api_path, "deep", mode) ? RTLD_LOCAL : RTLD_DEEPBIND);
	return plugin ? run(plugin, scope) : -1;
}

static void print_front_calls(void)
{
	void *cudart = dlopen("libcudart.so.12", RTLD_NOW | RTLD_NOLOAD);
	int (*calls)(void) = NULL;

	if (cudart)
		*(void **)&calls = dlsym(cudart, "fake_front_calls");
	if (calls)
		printf("front %d\n", calls());
}

int main(int argc, char **argv)
{
	char *api_path, *rest = argc > 1 ? argv[1] : NULL;
	int error = 0;

	while (!error && (api_path = strsep(&rest, " ")))
		error = run_api_path(api_path);
	print_front_calls();
	if (error)
		fprintf(stderr, "api_path_app: error %d\n", error);
	return error ? 1 : 0;
}
