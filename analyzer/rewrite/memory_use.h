/*
 * Whether the host waits for a copy before it uses the copy's memory again, as the source of one function says. Any
 * thread.
 */
#ifndef STREAMTRACE_MEMORY_USE_H
#define STREAMTRACE_MEMORY_USE_H

#include "rewrite/enqueued.h"

/* A walk from a copy on, which looks for the wait before the host uses the copy's memory. */
struct memory_use {
	struct piece function, path; /* path: of the host's memory */
	struct piece stream;	     /* of the copy */
	size_t from;		     /* behind the copy */
	size_t except_wait;	     /* the position of a wait that does not count; or SIZE_MAX */
	size_t waited_at;	     /* a wait will stand at this end of a loop; or SIZE_MAX */
};

/* Whether the function waits for the stream before it mentions the path again, or what the path's variable was set
 * from, but for work in that stream. In a loop what stands before counts, too, unless the variable is declared in the
 * loop. NULL: it does; else why not. */
const char *waits_before_use(const struct code *code, const struct memory_use *use);

/* Whether the host may read or write through the path in the piece: it is indexed or dereferenced there, or a pointer
 * that is given to a function, outside of work in a stream. */
bool host_touches(const struct code *code, struct piece function, struct piece piece,
		  struct piece path);

#endif
