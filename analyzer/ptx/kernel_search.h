/*
 * What kernels use, from the PTX in the files of a program and its libraries, and in what it loaded at run time.
 *
 * Of a file with several versions of a kernel the PTX counts that runs on the device: that of the machine code which the
 * driver chooses, or that which it compiles where there is none. Without it nothing is known. Kernels of several
 * files or images may have one name: what any of them uses counts. One thread; uses all processors.
 */
#ifndef STREAMTRACE_PTX_KERNEL_SEARCH_H
#define STREAMTRACE_PTX_KERNEL_SEARCH_H

#include "ptx/kernel_uses.h"

#include <stdbool.h>

/* An executable or a library. */
struct kernel_file {
	const char *path;
	const char *build_id; /* hexadecimal; the file must have it. NULL: unknown */
	int64_t newest_ns; /* without a build id: the file must not be younger, in ns of CLOCK_REALTIME; 0: unknown */
};

/* Code that the program loaded at run time: PTX, machine code (ELF) or a fat binary. Of machine code alone the names of
 * its kernels are known, and what they use if it was compiled with -lineinfo, which keeps the PTX in it. */
struct kernel_image {
	const char *bytes;
	size_t size;
};

struct kernel_search {
	const struct kernel_file *files;
	size_t file_count;
	const uint32_t *architectures; /* of the devices: 90 is compute capability 9.0 */
	size_t architecture_count;
	const char *const *names; /* of kernels, mangled; all different */
	size_t name_count;
	const struct kernel_image *images;
	size_t image_count;
	bool lacks_images; /* the program loaded more than these */
	/* By index of names. True: the kernel is in an image, and a file's kernel of the same name is another one. NULL: no
	 * kernel is. */
	const bool *are_of_images;
};

/* By index of the search's names; uses of a kernel of which nothing is known are not valid. */
struct kernel_answer {
	struct kernel_uses uses;
	bool is_known;
};

/* Returns one answer a name; free by kernel_answers_free(). */
struct kernel_answer *kernel_search(const struct kernel_search *search);
void kernel_answers_free(struct kernel_answer *answers, size_t count);

#endif
