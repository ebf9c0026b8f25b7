/*
 * A program without CUDA that loads doors.cu as a plugin: cudart comes with the plugin, in a scope
 * of its own, as with every Python extension.
 *
 *   doors_host local|deepbind PLUGIN
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	int flags = RTLD_NOW | RTLD_LOCAL;
	int (*doors)(void);
	void *plugin;

	if (argc != 3) {
		fprintf(stderr, "usage: doors_host local|deepbind PLUGIN\n");
		return 2;
	}
	if (!strcmp(argv[1], "deepbind"))
		flags |= RTLD_DEEPBIND;
	plugin = dlopen(argv[2], flags);
	if (!plugin) {
		fprintf(stderr, "doors_host: %s\n", dlerror());
		return 1;
	}
	*(void **)&doors = dlsym(plugin, "doors");
	return doors ? doors() : 1;
}
