/*
 * What a kernel's mangled name says of its parameters.
 */
#ifndef STREAMTRACE_KERNEL_PARAMETERS_H
#define STREAMTRACE_KERNEL_PARAMETERS_H

#include <stdbool.h>
#include <stdint.h>

#define KERNEL_PARAMETERS 64 /* of the first so many something is known */

struct kernel_parameters {
	uint64_t is_const; /* a bit a parameter: it is a pointer to const */
	bool has_table;	   /* one is a pointer to pointers: what the kernel reaches is not known */
};

/* Neither, for a name that is not mangled. One thread. */
struct kernel_parameters kernel_parameters_read(const char *mangled);

#endif
