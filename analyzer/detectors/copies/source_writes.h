/*
 * Whether an H2D copy read what its call found in host memory: the copy's hash is of what the call
 * found.
 *
 * Zero-initialize a struct source_writes except .trace; free it by source_writes_free(). Operations
 * belong to that trace. One thread.
 */
#ifndef STREAMTRACE_SOURCE_WRITES_H
#define STREAMTRACE_SOURCE_WRITES_H

#include "model/ranges.h"
#include "trace/trace.h"

struct source_writes {
	const struct trace *trace;
	struct ranges writers; /* values: index of the operation that wrote the memory, plus one */
};

/* Notes that the operation wrote [start, end) of host memory; NULL: the memory is new, and nothing
 * has written it. */
void source_writes_note(struct source_writes *writes, uint64_t start, uint64_t end,
			const struct trace_operation *operation);

/* Whether another operation or a host function may have written the memory that the H2D copy read,
 * after its call had returned. */
bool source_writes_come_later(const struct source_writes *writes,
			      const struct trace_operation *sent);

/* Whether the H2D copy `sent` was enqueued before the D2H copy `fetched`, which brought all that it
 * read, was done: then nobody can have changed it. fetched may be NULL. */
bool source_writes_are_untouched(const struct source_writes *writes,
				 const struct trace_operation *sent,
				 const struct trace_operation *fetched);

/* Whether nothing is known to have written what `fetched` brought, from its end until the call of
 * `sent` began: no other operation, and no host function ran. */
bool source_writes_are_as_fetched(const struct source_writes *writes,
				  const struct trace_operation *fetched,
				  const struct trace_operation *sent);

void source_writes_free(struct source_writes *writes);

#endif
