/*
 * Bytes that go into a page. They are collected in blocks. Each block is compressed with zlib and written
 * in base64 into a <script> element of a type that browsers do not run. The page's program unpacks a block
 * when it needs it.
 *
 * One thread; pack_write() compresses on all processors. Out of memory ends the program, but for what
 * pack_write() says.
 */
#ifndef STREAMTRACE_PACK_H
#define STREAMTRACE_PACK_H

#include "base/vector.h"

#include <stdint.h>
#include <stdio.h>

struct pack_block {
	uint8_t *bytes; /* as added; after pack_write() compressed */
	size_t size, capacity;
	int id;
};

/* The caller sets first_id, and zeros the rest. */
struct pack {
	int first_id; /* id of the first block. Each next id is larger by 2, so that two packs can share a page */
	VECTOR(struct pack_block) blocks;
};

/* Where bytes were put. */
struct pack_place {
	int block;     /* the block's id */
	size_t offset; /* in the block before it is compressed */
};

/* Copies `size` bytes to the end of the pack, all into one block. Returns their place. */
struct pack_place pack_add(struct pack *pack, const void *bytes, size_t size);

/* Compresses the blocks, and writes an element for each block; the element of the block with id N has the id bN.
 * Call once, after the last pack_add(). False: zlib had no memory for a block, and elements are missing. Failures to
 * write show in ferror(out) alone. */
bool pack_write(struct pack *pack, FILE *out);

/* Frees the blocks, also after pack_write() returned false. */
void pack_free(struct pack *pack);

#endif
