/*
 * Whether the host leaves the memory that H2D copies of a call site read as it is: then it need not
 * wait for such a copy, and the data was there before the copy's step. The copies' hashes tell
 * (facts/content.h). Only some copies have one, so that the ones known decide for all of the site.
 *
 * Zero-initialize a struct kept_sources; free it by kept_sources_free(). One thread.
 */
#ifndef STREAMTRACE_KEPT_SOURCES_H
#define STREAMTRACE_KEPT_SOURCES_H

#include "base/memory.h"
#include "base/vector.h"
#include "trace/trace.h"

/* How often two copies of a call site from the same address carried the same bytes, as far as their
 * hashes tell, and how often other ones. */
struct kept_source_line {
	size_t same, other;
};

struct kept_sources {
	struct map hashes; /* by host address the hash of the last copy from there with one */
	struct map lines;  /* by call site the index in counts */
	VECTOR(struct kept_source_line) counts;
};

/* Notes an H2D copy, which must have a call. Call in the order of enqueueing. */
void kept_sources_pass(struct kept_sources *sources, const struct trace_operation *sent);

/* Call after all copies. Whether the host is taken not to write the memory that the copy reads:
 * TYPICAL_LEAST_TIMES copies of its call site had the bytes of the copy before from the same
 * address, and none had others. */
bool kept_sources_have(const struct kept_sources *sources, const struct trace_operation *sent);

void kept_sources_free(struct kept_sources *sources);

#endif
