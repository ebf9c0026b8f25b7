/*
 * Reads what the file of an x86-64 program says of its loader. Any thread.
 */
#ifndef STREAMTRACE_ELF_PROGRAM_H
#define STREAMTRACE_ELF_PROGRAM_H

#include <stdbool.h>

struct elf_program {
	bool is_program; /* false: it is a script, or a program for another machine; the rest is 0 */
	char loader[256]; /* path of the loader, cut to fit; "": the program is linked statically */
	bool needs_asan;  /* it needs AddressSanitizer's runtime as a shared library */
};

/* Reads the program in file, a descriptor that is open for reading and stays open. The file need not be valid: a
 * damaged one gives is_program false, or a struct that lacks what could not be read. */
struct elf_program elf_program_read(int file);

#endif
