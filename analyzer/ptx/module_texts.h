/* The PTX in a program's file that runs on certain devices. One thread. */
#ifndef STREAMTRACE_PTX_MODULE_TEXTS_H
#define STREAMTRACE_PTX_MODULE_TEXTS_H

#include "base/vector.h"
#include "ptx/fatbin.h"
#include "ptx/kernel_search.h"

typedef VECTOR(struct fatbin_entry) fatbin_entries;

/* A file that is open: its entries are in its memory. */
struct module_texts {
	struct Elf *elf; /* NULL: the file is not there, not an ELF file, or another one */
	int descriptor;
	fatbin_entries texts;
};

/* Free by module_texts_close(). */
struct module_texts module_texts_open(const struct kernel_file *file, const uint32_t *architectures,
				      size_t architecture_count);
void module_texts_close(struct module_texts *module);

#endif
