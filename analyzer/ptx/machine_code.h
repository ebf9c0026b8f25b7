/*
 * Machine code of a device (cubin): an ELF file with a section .text.NAME for each function.
 *
 * Compiled with -lineinfo it keeps its PTX in the section .nv_debug_ptx_txt, each line with a 0 behind it. Damaged code has
 * no text and some names. Any thread.
 */
#ifndef STREAMTRACE_PTX_MACHINE_CODE_H
#define STREAMTRACE_PTX_MACHINE_CODE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the bytes begin as an ELF file. */
bool machine_code_is(const char *bytes, size_t size);

/* The PTX in the code, of *text_size bytes and a 0, which the caller must free(). NULL: there is none. */
char *machine_code_text(const char *bytes, size_t size, size_t *text_size);

/* The name of the next function behind *at, which is moved behind it; begin with *at = bytes. It ends in a 0, within the
 * bytes. NULL: there are no more. */
const char *machine_code_kernel(const char *bytes, size_t size, const char **at);

#endif
