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

/* Set first_id, and zero the rest. */
struct pack {
	int first_id; /* id of the first block; each next one's is larger by two, so that two packs can share a page */
	VECTOR(struct pack_block) blocks;
};

/* Where bytes were put: in which block, and where in it before it is compressed. */
struct pack_place {
	int block;
	size_t offset;
};

/* Copies the bytes to the end of the pack. They are never split between two blocks. */
struct pack_place pack_add(struct pack *pack, const void *bytes, size_t size);

/* Compresses the blocks, and writes an element with the id bN for each block N. Call once, after the last pack_add().
 * False: a block could not be compressed, for lack of memory; the caller still frees the pack. Failures to write show
 * in ferror(out) alone. */
bool pack_write(struct pack *pack, FILE *out);

void pack_free(struct pack *pack);

#endif
