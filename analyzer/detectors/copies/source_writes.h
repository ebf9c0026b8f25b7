/*
 * Whether what copies to the device read on the host is what their calls found there: the hash of a copy is
 * of that.
 *
 * Zero-initialize all but .trace; free with source_writes_free(). Operations are of the trace.
 */
#ifndef STREAMTRACE_SOURCE_WRITES_H
#define STREAMTRACE_SOURCE_WRITES_H

#include "model/ranges.h"
#include "trace/trace.h"

struct source_writes {
	const struct trace *trace;
	struct ranges writers; /* values: the operations that wrote it, plus one */
};

/* The operation writes [start, end) of host memory; NULL: new memory, that nothing has written. */
void source_writes_note(struct source_writes *writes, uint64_t start, uint64_t end,
			const struct trace_operation *operation);

/* Whether another operation or a host function may have written what the copy to the device read, after its
 * call had returned. */
bool source_writes_come_later(const struct source_writes *writes,
			      const struct trace_operation *sent);

/* Whether the copy to the device was enqueued before the copy to the host was done that brought all that it
 * read, so that nobody can have changed it. fetched: or NULL. */
bool source_writes_are_untouched(const struct source_writes *writes,
				 const struct trace_operation *sent,
				 const struct trace_operation *fetched);

/* Whether nothing is known to have written what the copy to the host brought from its end until the call of the
 * copy to the device began: no other operation, and no host function ran. */
bool source_writes_are_as_fetched(const struct source_writes *writes,
				  const struct trace_operation *fetched,
				  const struct trace_operation *sent);

void source_writes_free(struct source_writes *writes);

#endif
