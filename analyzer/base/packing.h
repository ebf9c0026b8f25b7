/*
 * Packs numbers and texts into bytes, for messages from one of our processes to another.
 *
 *	pack_number(&packing, 42);			number = unpack_number(&unpacking);
 *	pack_text(&packing, name);			name = unpack_text(&unpacking);
 *
 * Unpacking never reads beyond the bytes: damaged ones give zeros and set is_damaged. Any thread;
 * each packing must be used by one thread at a time.
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
/* Like pack_number(), for numbers that may be negative; short if they are near 0. */
void pack_signed(struct packing *packing, int64_t number);
/* Adds the bytes without their size. */
void packing_add(struct packing *packing, const void *bytes, size_t size);
/* Adds the size, then the bytes. */
void pack_bytes(struct packing *packing, const void *bytes, size_t size);
void pack_text(struct packing *packing, const char *text);

/* Bytes to be read. Set bytes and size; each call moves past what it reads. */
struct unpacking {
	const unsigned char *bytes;
	size_t size;
	bool is_damaged;
};

uint64_t unpack_number(struct unpacking *unpacking);
int64_t unpack_signed(struct unpacking *unpacking);
/* Returns a pointer into the bytes, and their size in *size. */
const void *unpack_bytes(struct unpacking *unpacking, size_t *size);

/* A text that is safe to print (arena_text()), to be freed. */
char *unpack_text(struct unpacking *unpacking);

/* A count of items that follow, each of one byte or more: never larger than the bytes left. */
size_t unpack_count(struct unpacking *unpacking);

#endif
