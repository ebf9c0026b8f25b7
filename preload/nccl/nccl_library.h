/*
 * The addresses of NCCL's own functions: those that a module's call would reach without us.
 *
 * A function is looked for in the global scope, then in the calling module and its dependencies,
 * because Python's extensions are loaded with scopes of their own, then in any loaded libnccl. Two
 * modules of a process can use different NCCLs, so addresses are kept for each calling module,
 * until any library is unloaded. Any thread.
 */
#ifndef STREAMTRACE_NCCL_LIBRARY_H
#define STREAMTRACE_NCCL_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

enum nccl_function {
#define NCCL_CALL(name, parameters, arguments, before, after) NCCL_FUNCTION_##name,
#include "nccl/nccl_calls.def"
	/* Functions that we call ourselves, and do not wrap. */
	NCCL_FUNCTION_ncclCommCount,
	NCCL_FUNCTION_ncclCommUserRank,
	NCCL_FUNCTION_ncclCommCuDevice,
	NCCL_FUNCTIONS
};

/* The function that a call returning to return_address would have reached; NULL: none. Its library
 * stays loaded. Leaves errno and dlerror() alone. */
void *nccl_library_function(enum nccl_function function, uintptr_t return_address);

#endif
