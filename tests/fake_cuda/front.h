/* For further libraries in front of the stand-in's device: see fake_cuda.h. */
#ifndef FAKE_FRONT_H
#define FAKE_FRONT_H

#include <dlfcn.h>
#include <stdlib.h>

#include "fake_cuda.h"

/* The function of libcudart.so.13, past every interposer. Ends the program when it has none. */
static inline void *front_find(const char *name)
{
	void *cudart = dlopen("libcudart.so.13", RTLD_NOW | RTLD_LOCAL);
	void *function = cudart ? dlsym(cudart, name) : NULL;

	if (!function)
		abort();
	return function;
}

#define FRONT_FIND(name) ((__typeof__(&name))front_find(#name))

#endif
