/* What a kernel's mangled name tells about its parameters. Any thread. */
#ifndef STREAMTRACE_KERNEL_PARAMETERS_H
#define STREAMTRACE_KERNEL_PARAMETERS_H

#include <stdbool.h>
#include <stdint.h>

#define KERNEL_PARAMETERS 64 /* parameters considered; later ones are ignored */

struct kernel_parameters {
	uint64_t is_const; /* bit i: parameter i is a pointer to const */
	bool has_table;	   /* a parameter points to pointers: the memory that the kernel reaches is
			    * unknown */
};

/* All members are 0 if the name is not mangled. */
struct kernel_parameters kernel_parameters_read(const char *mangled);

#endif
