/*
 * The device code in a program's file: a section of containers, each with the same code in several forms.
 *
 * NVIDIA does not publish the format. A container: magic 0xba55ed50, version (16 bits), size of this header (16), size of
 * what follows (64). Then one entry after the other: kind (16), version (16), size of this header (32), size of the
 * code (64), its compressed size (32), offset of options (32), version of PTX (16, 16), architecture (32), offset and
 * size of a name (32, 32), flags (64), 0 (64), size once unpacked (64). Toolkits 11 to 13 write this, and so does
 * nothing else: whatever does not fit ends the walk. Any thread.
 */
#ifndef STREAMTRACE_PTX_FATBIN_H
#define STREAMTRACE_PTX_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fatbin_packing { FATBIN_PLAIN, FATBIN_LZ4, FATBIN_ZSTD };

struct fatbin_entry {
	const char *bytes; /* in the section, as they lie there */
	size_t size;
	uint64_t unpacked_size;	     /* as stated; FATBIN_PLAIN: size */
	uint32_t architecture;	     /* 90: sm_90 */
	uint32_t container;	     /* the first has 0 */
	bool is_text;		     /* PTX; otherwise machine code */
	bool is_specific;	     /* sm_90a: for this architecture alone */
	enum fatbin_packing packing; /* how the bytes are compressed */
};

/* Set bytes and size to the section; the other members to 0. */
struct fatbin_walk {
	const char *bytes;
	size_t size;
	size_t at, container_end;
	uint32_t containers;
};

/* Whether the bytes begin with a container. */
bool fatbin_is(const char *bytes, size_t size);

/* The next entry of PTX or machine code. False: there are no more. */
bool fatbin_next(struct fatbin_walk *walk, struct fatbin_entry *entry);

/* The entry's text, with a 0 appended, which the caller must free(), and its *size without the 0; of machine code
 * unpacked_size bytes, and *size means nothing. NULL: it is damaged,
 * longer than FATBIN_TEXT_MOST, or compressed in a way that this build cannot read. */
char *fatbin_unpack(const struct fatbin_entry *entry, size_t *size);

#define FATBIN_TEXT_MOST (64 << 20)

#endif
