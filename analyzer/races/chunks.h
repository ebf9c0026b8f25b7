/*
 * Where chunks of one allocation begin: at each address that the program names. Of a kernel only the pointer to its chunk is known,
 * and the next chunk's is its end. Any thread.
 */
#ifndef STREAMTRACE_RACES_CHUNKS_H
#define STREAMTRACE_RACES_CHUNKS_H

#include "base/vector.h"
#include "trace/trace.h"

struct chunks {
	VECTOR(uint64_t) addresses; /* sorted */
};

/* Free by chunks_free(). */
struct chunks chunks_find(const struct trace *trace);
void chunks_free(struct chunks *chunks);

/* Where the chunk at `start` ends; end: of its allocation. */
uint64_t chunks_end(const struct chunks *chunks, uint64_t start, uint64_t end);

#endif
