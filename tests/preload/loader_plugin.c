/*
 * A plugin of loader_app.c, whose constructor and destructor do what the program says. Made twice: with
 * a function of another name, and otherwise alike, so that one gets the place of the other.
 */
#include <cuda_runtime_api.h>

enum { PLUGIN_CALLS = 50 };

void plugin_begin(void);
void plugin_end(void);
int plugin_run(void);

__attribute__((constructor)) static void on_load(void)
{
	plugin_begin();
}

__attribute__((destructor)) static void on_unload(void)
{
	plugin_end();
}

/* Not a tail call: the caller is to stay on the stack. */
static __attribute__((noinline)) int PLUGIN_FUNCTION(void)
{
	int result = 0;

	for (int i = 0; i < PLUGIN_CALLS; i++)
		result |= cudaStreamQuery(NULL);
	__asm__ volatile("" : "+r"(result));
	return result;
}

int plugin_run(void)
{
	int result = PLUGIN_FUNCTION();

	__asm__ volatile("" : "+r"(result));
	return result;
}
