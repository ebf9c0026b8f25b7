/*
 * A program without CUDA that loads api_paths.cu as a plugin: cudart comes with the plugin, in a
 * scope of its own, as with every Python extension.
 *
 *   plugin_host local|deepbind PLUGIN
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	int flags = RTLD_NOW | RTLD_LOCAL;
	int (*api_paths)(void);
	void *plugin;

	if (argc != 3) {
		fprintf(stderr, "usage: plugin_host local|deepbind PLUGIN\n");
		return 2;
	}
	if (!strcmp(argv[1], "deepbind"))
		flags |= RTLD_DEEPBIND;
	plugin = dlopen(argv[2], flags);
	if (!plugin) {
		fprintf(stderr, "plugin_host: %s\n", dlerror());
		return 1;
	}
	*(void **)&api_paths = dlsym(plugin, "api_paths");
	return api_paths ? api_paths() : 1;
}
