/* Cuts long answers into parts. One thread. */
#ifndef STREAMTRACE_MCP_PAGING_H
#define STREAMTRACE_MCP_PAGING_H

#include <jansson.h>
#include <stddef.h>

/* A part is at most so long, or it has one element of an array: some 10,000 tokens of a language model. */
#define PAGING_MOST_BYTES ((size_t)32 << 10)

/* Returns the part of the JSON that begins at the offset: a new reference. The offset counts elements: those of an array,
 * or of an object's arrays, one after the other. The part of offset 0 has all the rest of the object, too; later ones
 * have only arrays with what follows. *next: the offset of the next part; 0: there is none. */
json_t *paging_of_json(json_t *whole, size_t offset, size_t *next);

/* Returns the size of the part of the text that begins at offset, which must not be beyond its size: whole lines of UTF-8,
 * or a part of one that is too long. *next as above. */
size_t paging_of_text(const char *text, size_t size, size_t offset, size_t *next);

#endif
