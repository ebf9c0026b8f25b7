/* The PTX in a program's file, or in what it loaded, that runs on certain devices. One thread. */
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

/* The code in an image: PTX, or machine code where a device runs code of which the image has no PTX. Its bytes are the
 * image's. Free by vector_free(). */
fatbin_entries module_texts_of_image(const struct kernel_image *image,
				     const uint32_t *architectures, size_t architecture_count);

#endif
