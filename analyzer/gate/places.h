/*
 * The places of a program that call CUDA, and how many calls of which kind each makes. A place is named by
 * file and function, so that edits above it do not change its name. One thread.
 *
 *	struct places places = places_collect(trace, &arena);
 *	index = places_find(&places, call);	(as often as needed)
 *	places_sort(&places);
 *	calls = places_at(&places.found, "load.cu:load_batch", kind);
 *	places_free(&places);
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
	uint64_t bytes; /* that these calls copied or set; UINT64_MAX: as many or more */
	/* A key is a call stack, a function and what is enqueued. keys: how many keys became this row. streams: the
	 * sum over these keys of how many streams the key enqueues into. */
	size_t keys, streams;
};

typedef VECTOR(struct place_calls) place_calls_vector;

struct places {
	place_calls_vector found; /* a row a key; after places_sort(): a row a place and kind, sorted */
	struct map kinds;	  /* key to index in found; empty after places_sort() */
	struct map streams;	  /* the pairs of key and stream seen; empty after places_sort() */
};

/* Counts all calls of the trace. Texts are put into the arena, which must outlive the result. */
struct places places_collect(const struct trace *trace, struct arena *arena);

/* The index in found of the row that counts the call. Call before places_sort(). MAP_NONE: call is NULL, or not of
 * the trace. */
size_t places_find(const struct places *places, const struct trace_call *call);

/* Merges the rows of each place and kind, and sorts. Indexes from places_find() are invalid afterwards. */
void places_sort(struct places *places);

/* The row of the place and kind. Call after places_sort(). NULL: there is none. */
const struct place_calls *places_at(const place_calls_vector *found, const char *place,
				    const char *kind);

void places_free(struct places *places);

/* The place's name, "load.cu:load_batch": the file without its folders, and the function as
 * places_function() says. A site without a file has the module's name instead, and, if it has no function either, the
 * offset in the module. A site without a file and a module is "unknown". The text is a constant or in the arena. */
const char *places_name(const struct site *site, struct arena *arena);

/* The function's name, for C++ without arguments of templates and parameters; NULL: not known. It belongs to
 * the site or to the arena. */
const char *places_function(const struct site *site, struct arena *arena);

#endif
