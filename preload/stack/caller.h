/* Where a call came from: taken in the function that was called, without a walk. */
#ifndef STREAMTRACE_CALLER_H
#define STREAMTRACE_CALLER_H

#include <stdint.h>

struct caller {
	uint64_t return_address;
	uint64_t cfa; /* address above the return address on the stack; 0: the stack is not read */
};

/* The caller of the function that uses this macro. */
#define CALLER_HERE()                                                                              \
	((struct caller){.return_address = (uint64_t)__builtin_return_address(0),                  \
			 .cfa = (uint64_t)__builtin_dwarf_cfa()})

#endif
