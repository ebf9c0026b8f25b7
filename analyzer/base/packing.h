/*
 * Packs numbers and texts into bytes, for messages from one of our processes to another.
 *
 *	pack_number(&packing, 42);			number = unpack_number(&unpacking);
 *	pack_text(&packing, name);			name = unpack_text(&unpacking);
 *
 * Unpacking never reads beyond the bytes: damaged bytes give zeros or empty texts, and set
 * is_damaged. Any thread; each packing or unpacking must be used by one thread at a time.
 */
#ifndef STREAMTRACE_PACKING_H
#define STREAMTRACE_PACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Packed bytes. Zero-initialize it; the owner must free() bytes. */
struct packing {
	unsigned char *bytes;
	size_t size, capacity;
};

/* Takes one byte for each 7 bits of the number. */
void pack_number(struct packing *packing, uint64_t number);
/* Like pack_number(), for a number that may be negative. Numbers near 0 take one byte. */
void pack_signed(struct packing *packing, int64_t number);
/* Adds the bytes as they are, without their size: such as those of another packing. */
void packing_add(struct packing *packing, const void *bytes, size_t size);
/* Adds the size, then the bytes. */
void pack_bytes(struct packing *packing, const void *bytes, size_t size);
/* Adds the text's length and the text, without its final 0. text must not be NULL. */
void pack_text(struct packing *packing, const char *text);

/* Bytes to be read. Set bytes and size, with is_damaged false; each call moves `bytes` past what it
 * reads. The caller owns the bytes. */
struct unpacking {
	const unsigned char *bytes;
	size_t size;	 /* bytes left */
	bool is_damaged; /* stays true once it is set */
};

/* Each function reads what the pack function of its name has added. */
uint64_t unpack_number(struct unpacking *unpacking);
int64_t unpack_signed(struct unpacking *unpacking);
/* Returns a pointer into unpacking->bytes, and in *size how many bytes were packed. */
const void *unpack_bytes(struct unpacking *unpacking, size_t *size);

/* Returns a copy of the text that is safe to print (arena_text()). The caller must free() it. */
char *unpack_text(struct unpacking *unpacking);

/* Reads a number that counts items, which follow. An item takes a byte or more, so a count above
 * the bytes left is damage, and 0 is returned. */
size_t unpack_count(struct unpacking *unpacking);

#endif
