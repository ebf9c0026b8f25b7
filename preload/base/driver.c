#include "base/driver.h"

#include "base/loaded.h"

#include <errno.h>
#include <stdbool.h>

static struct driver driver;
static _Atomic bool is_found;

/* Two threads at once find the same. */
static __attribute__((noinline)) void find_functions(void)
{
	const int saved_errno = errno;

#define FIND(name)                                                                                 \
	atomic_store(&driver.name, (__typeof__(&(name)))loaded_symbol("libcuda.so", #name, NULL));
	DRIVER_FUNCTIONS(FIND)
#undef FIND
	/* What every driver has: without it there is none yet. */
	atomic_store(&is_found, driver.cuPointerGetAttributes != NULL);
	errno = saved_errno;
}

const struct driver *driver_functions(void)
{
	if (__builtin_expect(!atomic_load_explicit(&is_found, memory_order_acquire), 0))
		find_functions();
	return &driver;
}
