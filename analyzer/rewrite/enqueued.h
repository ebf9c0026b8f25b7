/*
 * Work that a function enqueues, as its source says: which stream uses some device memory, and where the host waits
 * for it. Any thread.
 */
#ifndef STREAMTRACE_ENQUEUED_H
#define STREAMTRACE_ENQUEUED_H

#include "rewrite/code_names.h"

/* A call or launch that enqueues work in a stream. */
struct enqueued {
	struct code_call call;
	struct piece
		stream; /* its argument; empty: none is given, or the default stream is named */
	struct piece memory[CALL_ARGUMENTS]; /* the arguments that may be memory */
	size_t memory_count;
	bool is_launch, is_allocation;
};

/* Reads the call whose name begins at the position. False: it enqueues no work that is known here. */
bool enqueued_read(const struct code *code, size_t name, struct enqueued *enqueued);

/* The next such call in the piece from *at on, which is set behind its name. False: there is none. */
bool enqueued_next(const struct code *code, struct piece piece, size_t *at,
		   struct enqueued *enqueued);

/* The stream in which the function uses the memory: that of all its calls and launches with the path but
 * `except`, in a copy, set or allocation at least. It is an expression that means the same at except->whole.
 * NULL: *stream is set; else why there is none, or none alone. *is_unclear: there are several. */
const char *stream_of(const struct code *code, struct piece function, struct piece path,
		      const struct code_call *except, struct piece *stream, bool *is_unclear);

/* Whether the statement at the position waits for the stream, whatever the branch: it is no part of a condition, and
 * stands in braces that are around the position `from`, too. */
bool is_sure_wait(const struct code *code, size_t at, struct piece stream, size_t from);

/* Whether the next mention of the path behind `from` is an argument of work in the stream. */
bool is_enqueued_next(const struct code *code, struct piece function, struct piece path,
		      struct piece stream, size_t from);

/* The call or launch that has the position among its arguments. False: there is none that enqueues work. */
bool enqueued_around(const struct code *code, size_t at, struct enqueued *enqueued);

/* Whether the mention of memory at the position is an argument of work in the stream. */
bool is_in_stream(const struct code *code, size_t at, struct piece stream);

/* Whether a statement behind the piece, at its level or further out in the function, waits for the stream. */
bool waits_behind(const struct code *code, struct piece function, struct piece piece,
		  struct piece stream);

#endif
