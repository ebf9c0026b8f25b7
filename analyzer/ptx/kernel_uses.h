/*
 * What a kernel does with the memory that its parameters point to. Any thread may read one.
 *
 * A word of a parameter is 8 bytes of it, at an offset that 8 divides: a pointer, or a member of a struct passed by value.
 */
#ifndef STREAMTRACE_PTX_KERNEL_USES_H
#define STREAMTRACE_PTX_KERNEL_USES_H

#include <stddef.h>
#include <stdint.h>

/* Bits. Of a word without any, the memory is not used. With USE_UNKNOWN the pointer got lost: it was stored, or passed to
 * code that is not there, so that memory may be read and written, whatever the other bits are. */
enum { USE_READ = 1, USE_WRITE = 2, USE_UNKNOWN = 4 };

#define WORD_OF_ANY UINT32_MAX /* any word of the parameter */

struct kernel_use {
	uint32_t parameter; /* its index */
	uint32_t word;	    /* offset / 8, or WORD_OF_ANY */
	uint8_t uses;
};

/* Each word that is used comes at least once. */
struct kernel_uses {
	struct kernel_use *items;
	size_t count;
	uint8_t elsewhere; /* USE_ bits, of memory that no parameter points to: through a pointer found in memory, or
			    * through a texture */
	uint8_t variables; /* USE_ bits, of variables in device memory */
};

/* USE_ bits of a pointer at an offset of a parameter. */
uint8_t kernel_uses_at(const struct kernel_uses *uses, uint32_t parameter, uint32_t offset_bytes);

/* Adds what another version of the kernel uses. */
void kernel_uses_join(struct kernel_uses *uses, const struct kernel_uses *other);

/* The uses are empty afterwards. */
void kernel_uses_free(struct kernel_uses *uses);

#endif
