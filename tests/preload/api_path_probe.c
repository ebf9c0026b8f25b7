/* Asks for a cudart in the two ways that do not need one. */
#include <dlfcn.h>
#include <stdio.h>

#include "api_path.h"

extern int cudaMalloc(void **address, size_t size) __attribute__((weak));

int api_path_work(void)
{
	puts(cudaMalloc || dlsym(RTLD_DEFAULT, "cudaMalloc") ? "a cudart" : "no cudart");
	return 0;
}
