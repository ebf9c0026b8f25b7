/*
 * Numbers and texts packed one behind the other, for what goes from one process of ours to another.
 * Reading never leaves the bytes: what is damaged gives zeros, and is_damaged. Any thread; each packing is
 * one thread's at a time.
 */
#ifndef STREAMTRACE_PACKING_H
#define STREAMTRACE_PACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is written. Zero-initialize it; bytes are freed with free(). */
struct packing {
	unsigned char *bytes;
	size_t size, capacity;
};

/* One byte for each 7 bits of the number. */
void pack_number(struct packing *packing, uint64_t number);
/* The same, short for numbers near 0. */
void pack_signed(struct packing *packing, int64_t number);
/* As they are. */
void packing_add(struct packing *packing, const void *bytes, size_t size);
/* With their size before them. */
void pack_bytes(struct packing *packing, const void *bytes, size_t size);
void pack_text(struct packing *packing, const char *text);

/* What is read. Initialize it with the bytes and their size. */
struct unpacking {
	const unsigned char *bytes;
	size_t size;
	bool is_damaged;
};

uint64_t unpack_number(struct unpacking *unpacking);
int64_t unpack_signed(struct unpacking *unpacking);
/* Point into the bytes. */
const void *unpack_bytes(struct unpacking *unpacking, size_t *size);

/* A text that is safe to print (arena_text()), malloc'ed. */
char *unpack_text(struct unpacking *unpacking);

/* How many of something follow, which take a byte or more each. */
size_t unpack_count(struct unpacking *unpacking);

#endif
