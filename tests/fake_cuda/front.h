/* For the fronts, which are further libraries on the device of libcudart.so.13: see fake_cuda.h. Any thread. */
#ifndef FAKE_FRONT_H
#define FAKE_FRONT_H

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "fake_cuda.h"

/* Returns the function of libcudart.so.13 called name, past every interposer. Ends the program if there is no such
 * function. The library is opened once: ThreadSanitizer's dlopen() takes a lock that a test may hold. */
static inline void *front_find(const char *name)
{
	static _Atomic(void *) opened;
	void *cudart = atomic_load(&opened);
	void *function;

	if (!cudart) {
		cudart = dlopen("libcudart.so.13", RTLD_NOW | RTLD_LOCAL);
		atomic_store(&opened, cudart);
	}
	function = cudart ? dlsym(cudart, name) : NULL;
	if (!function)
		abort();
	return function;
}

/* The function of libcudart.so.13 called name. It is searched once, so that later calls of it wait for no lock of
 * the loader, like those of the real libraries. */
#define FRONT_FIND(name)                                                                           \
	(*({                                                                                       \
		static _Atomic(__typeof__(&name)) found_;                                          \
                                                                                                   \
		if (!atomic_load(&found_))                                                         \
			atomic_store(&found_, (__typeof__(&name))front_find(#name));               \
		atomic_load(&found_);                                                              \
	}))

#endif
