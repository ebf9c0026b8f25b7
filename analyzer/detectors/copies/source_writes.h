/*
 * Whether an H2D copy read the same bytes that its call found in host memory. The library hashes
 * the bytes during the call, but the copy can read them later.
 *
 * Zero-initialize a struct source_writes except .trace; free it by source_writes_free(). Operations
 * belong to .trace; copies asked about must have a call. One thread.
 */
#ifndef STREAMTRACE_SOURCE_WRITES_H
#define STREAMTRACE_SOURCE_WRITES_H

#include "model/extents.h"
#include "trace/trace.h"

struct source_writes {
	const struct trace *trace;
	struct extents writers; /* values: index of the operation that wrote the memory, plus one */
};

/* Notes that the operation wrote [start, end) of host memory. operation NULL: the memory is new,
 * and nothing has written it. Call in the order of enqueueing. */
void source_writes_note(struct source_writes *writes, uint64_t start, uint64_t end,
			const struct trace_operation *operation);

/* The operation that wrote all the host memory that the H2D copy reads, and no more, by one copy to
 * the host; NULL: none, or another one wrote some of it since. */
const struct trace_operation *source_writes_last(const struct source_writes *writes,
						 const struct trace_operation *sent);

/* Whether another operation may have written the memory that the H2D copy read after the copy's
 * call had returned, or a host function ran from the call's begin to the copy's. */
bool source_writes_come_later(const struct source_writes *writes,
			      const struct trace_operation *sent);

/* Whether nobody can have changed the bytes between the D2H copy `fetched` and the H2D copy `sent`:
 * sent reads from the address that fetched wrote last, sent's call returned before fetched was
 * done, and no host function ran. False if fetched is NULL. */
bool source_writes_are_untouched(const struct source_writes *writes,
				 const struct trace_operation *sent,
				 const struct trace_operation *fetched);

/* Whether no other operation has written the memory that `fetched` wrote, and no host function ran
 * from the end of `fetched` until the call of `sent` began. */
bool source_writes_are_as_fetched(const struct source_writes *writes,
				  const struct trace_operation *fetched,
				  const struct trace_operation *sent);

void source_writes_free(struct source_writes *writes);

#endif
