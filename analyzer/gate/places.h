/*
 * The places of a program that call CUDA, and how many calls of which kind each place makes. A
 * place is named by file and function, so that edits above the place do not change its name. One
 * thread.
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
	uint64_t bytes; /* copied or set by these calls; UINT64_MAX: as many or more */
	/* A key is a call stack, a function and the kind of work enqueued. keys: how many keys this
	 * row counts. streams: the sum over these keys of how many streams a key's calls enqueue
	 * into. */
	size_t keys, streams;
};

typedef VECTOR(struct place_calls) place_calls_vector;

struct places {
	place_calls_vector found; /* a row a key; after places_sort(), sorted by place and kind */
	struct map kinds;	  /* key to index in found; empty after places_sort() */
	struct map streams;	  /* the pairs of key and stream seen; empty after places_sort() */
};

/* Counts all calls of the trace. Texts are put into the arena, which must outlive the result. Free
 * the result by places_free(). */
struct places places_collect(const struct trace *trace, struct arena *arena);

/* The index in places->found of the row that counts the call. Use before places_sort(). MAP_NONE:
 * the call is NULL, or not of the trace. */
size_t places_find(const struct places *places, const struct trace_call *call);

/* Merges the rows of each place and kind, and sorts the rows. Indexes from places_find() are
 * invalid afterwards. */
void places_sort(struct places *places);

/* Merges and sorts rows alike, whoever counted them. */
void places_sort_calls(place_calls_vector *found);

/* The row of the place and kind. found: as places_sort() left it. NULL: there is none. */
const struct place_calls *places_at(const place_calls_vector *found, const char *place,
				    const char *kind);

void places_free(struct places *places);

/* The place's name, "load.cu:load_batch": the file without its folders, and places_function() if
 * that is known. If the site has no file, the module stands for the file. If the site has no
 * function either, the module's offset follows. Without a file and a module the name is "unknown".
 * The text is a constant or in the arena. */
const char *places_name(const struct site *site, struct arena *arena);

/* The name of the site's function; for C++ without template arguments and parameters. NULL: not
 * known. The text belongs to the site or to the arena. */
const char *places_function(const struct site *site, struct arena *arena);

#endif
