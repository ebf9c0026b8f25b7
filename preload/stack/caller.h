/* The return address and the stack position of a call into our code, read without walking the
 * stack. */
#ifndef STREAMTRACE_CALLER_H
#define STREAMTRACE_CALLER_H

#include <stdint.h>

struct caller {
	uint64_t return_address;
	uint64_t cfa; /* canonical frame address: just above the word with the return address; 0:
		       * unknown, do not read the stack */
};

/* The struct caller of the function that uses this macro: who called it. */
#define CALLER_HERE()                                                                              \
	((struct caller){.return_address = (uint64_t)__builtin_return_address(0),                  \
			 .cfa = (uint64_t)__builtin_dwarf_cfa()})

#endif
