/*
 * What an x86-64 program's file tells its loader. Any thread.
 */
#ifndef STREAMTRACE_ELF_PROGRAM_H
#define STREAMTRACE_ELF_PROGRAM_H

#include <stdbool.h>

struct elf_program {
	bool is_program;  /* false: a script, or for another machine */
	char loader[256]; /* its path; "": no loader runs, it is linked statically */
	bool needs_asan;  /* AddressSanitizer's runtime is a library of its own */
};

/* file: open for reading; nothing in it is trusted. */
struct elf_program elf_program_read(int file);

#endif
