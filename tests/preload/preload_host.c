/* A program without cudart, which loads a plugin that has it: `preload_host PLUGIN`. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *plugin = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL);
	int (*run)(void) = NULL;

	if (plugin)
		*(void **)&run = dlsym(plugin, "plugin_run");
	if (!run) {
		fprintf(stderr, "preload_host: %s\n", dlerror());
		return 2;
	}
	return run();
}
