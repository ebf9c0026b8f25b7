/*
 * A traced program of nccl_test.c: closes a plugin and loads another one, with another NCCL, which gets the
 * place of the first; the last one has NCCL in itself. And the plugins, and their NCCLs, which answer with their
 * number.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "fake_nccl.h"

int plugin_run(void);

#ifdef NCCL_NUMBER
ncclResult_t ncclGroupStart(void)
{
	return (ncclResult_t)NCCL_NUMBER;
}
#endif

#ifdef NCCL_PLUGIN
/* Not a tail call: the caller is to be on the stack. */
int plugin_run(void)
{
	int number = ncclGroupStart();

	__asm__ volatile("" : "+r"(number));
	return number;
}

static __attribute__((destructor)) void on_unload(void)
{
	puts("closed");
}
#endif

#ifdef NCCL_PROGRAM
static void load_and_run(const char *path)
{
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*run)(void) = NULL;

	if (plugin)
		*(void **)&run = dlsym(plugin, "plugin_run");
	printf("%d\n", run ? run() : -1);
	if (plugin)
		dlclose(plugin);
	puts("");
}

int main(void)
{
	for (int i = 0; i < 2; i++) {
		load_and_run(PLUGIN_1_PATH);
		load_and_run(PLUGIN_2_PATH);
		load_and_run(PLUGIN_3_PATH);
	}
	return 0;
}
#endif
