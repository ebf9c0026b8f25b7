/* What a kernel's mangled name tells about its parameters. Any thread. */
#ifndef STREAMTRACE_KERNEL_PARAMETERS_H
#define STREAMTRACE_KERNEL_PARAMETERS_H

#include <stdbool.h>
#include <stdint.h>

#define KERNEL_PARAMETERS 64 /* parameters considered; later ones are ignored */

struct kernel_parameters {
	uint64_t is_pointer; /* bit i: parameter i is a pointer to data */
	uint64_t is_const;   /* bit i: parameter i is a pointer to const */
	int count;	     /* how many are known: up to the first pack */
	/* A parameter is such a number, by value. */
	bool has_float, has_double;
	bool has_table; /* a parameter points to pointers: the memory that the kernel reaches
			      * is unknown */
	/* The name has all parameters, and each is a pointer to data or a number. False where one
	 * may be a struct, which may hide a pointer (of a view, an iterator, a captured reference),
	 * a pointer to a function, or the handle of a texture or surface. */
	bool is_plain;
};

/* All members are 0 if the name is not mangled. */
struct kernel_parameters kernel_parameters_read(const char *mangled);

#endif
