/*
 * Bytes on their way into a page: collected in blocks, each compressed with zlib and written in
 * base64 into a <script> element that no browser runs. A page reads a block when it needs it.
 *
 * One thread; finished blocks are compressed on all processors. Out of memory ends the program.
 */
#ifndef STREAMTRACE_PACK_H
#define STREAMTRACE_PACK_H

#include "base/vector.h"

#include <stdint.h>
#include <stdio.h>

struct pack_block {
	uint8_t *bytes; /* as they are, then compressed */
	size_t size, capacity;
	int id;
};

/* Zero-initialize it but for first_id. */
struct pack {
	int first_id; /* of the blocks, which count up from there by two */
	VECTOR(struct pack_block) blocks;
};

/* Where bytes went. */
struct pack_place {
	int block;
	size_t offset;
};

/* Copies the bytes behind those before; they are in one block. */
struct pack_place pack_add(struct pack *pack, const void *bytes, size_t size);

/* Compresses what was added, and writes it: an element with the id bN for each block N. Nothing can be
 * added any more. False: out of memory; whether `out` took it is ferror()'s to say. */
bool pack_write(struct pack *pack, FILE *out);

void pack_free(struct pack *pack);

#endif
