/* For further libraries in front of the stand-in's device: see fake_cuda.h. */
#ifndef FAKE_FRONT_H
#define FAKE_FRONT_H

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "fake_cuda.h"

/* The function of libcudart.so.13, past every interposer. Ends the program when it has none. The library
 * is opened once: ThreadSanitizer's dlopen() takes a lock that a test may hold. */
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

/* Found once, so that from its second call on a function waits for no lock of the loader's, as the real
 * libraries' do. */
#define FRONT_FIND(name)                                                                           \
	(*({                                                                                       \
		static _Atomic(__typeof__(&name)) found_;                                          \
                                                                                                   \
		if (!atomic_load(&found_))                                                         \
			atomic_store(&found_, (__typeof__(&name))front_find(#name));               \
		atomic_load(&found_);                                                              \
	}))

#endif
