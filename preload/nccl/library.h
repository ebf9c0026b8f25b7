/*
 * NCCL's own functions: what a call of a module would have bound to without us.
 *
 * That is what comes next in the global scope; else what the module itself has or depends on, for Python's
 * extensions are loaded with scopes of their own. Two modules of a process can have an NCCL each, so the
 * functions are kept for each module that calls, until one is unloaded. Any thread.
 */
#ifndef STREAMTRACE_NCCL_LIBRARY_H
#define STREAMTRACE_NCCL_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

enum nccl_function {
#define NCCL_CALL(name, parameters, arguments, before, after) NCCL_FUNCTION_##name,
#include "nccl/calls.def"
	/* That ask: used, not wrapped. */
	NCCL_FUNCTION_ncclCommCount,
	NCCL_FUNCTION_ncclCommUserRank,
	NCCL_FUNCTION_ncclCommCuDevice,
	NCCL_FUNCTIONS
};

/* The function for a call that returns to this address; NULL: there is none. Leaves errno and dlerror()
 * alone. The library that has it stays loaded. */
void *nccl_library_function(enum nccl_function function, uintptr_t return_address);

#endif
