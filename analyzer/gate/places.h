/*
 * The places of a program that call CUDA, by names that edits above them do not change, and what
 * calls they make. One thread.
 */
#ifndef STREAMTRACE_GATE_PLACES_H
#define STREAMTRACE_GATE_PLACES_H

#include "base/vector.h"
#include "trace/site.h"

/* The calls of one kind that a place makes. */
struct place_calls {
	const char *place; /* "load.cu:load_batch" */
	const char *kind;  /* "cudaMemcpyAsync (pageable to device)" */
	int64_t calls;
	uint64_t bytes; /* that they copied or set */
	/* Of how many keys it was put together, and in how many streams each of these is, summed up. */
	size_t keys, streams;
};

typedef VECTOR(struct place_calls) place_calls_vector;

struct places {
	place_calls_vector found; /* while being built: by key; then by place and kind */
	struct map kinds;	  /* of a call's key to its index, while being built */
	struct map streams;	  /* of keys in a stream */
};

/* What all calls of the trace are; texts are put into the arena. */
struct places places_collect(const struct trace *trace, struct arena *arena);

/* The index in found of the calls like this one; before places_sort(). SIZE_MAX: NULL or unknown. */
size_t places_find(const struct places *places, const struct trace_call *call);

/* By place and kind, each once. Indexes are not valid any more. */
void places_sort(struct places *places);

/* Of a place and kind that places_sort() sorted; NULL: none. */
const struct place_calls *places_at(const place_calls_vector *found, const char *place,
				    const char *kind);

void places_free(struct places *places);

/* The place's name: the file's without its folders and the function's, both without what a compiler
 * adds. */
const char *places_name(const struct site *site, struct arena *arena);

/* The function's name in it, or NULL. */
const char *places_function(const struct site *site, struct arena *arena);

#endif
