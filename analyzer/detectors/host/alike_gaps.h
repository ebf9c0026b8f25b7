/*
 * Gaps of a thread between calls of the same two call sites. Looks find only some of them; what they
 * find tells what the thread does in the others. One thread at a time.
 */
#ifndef STREAMTRACE_ALIKE_GAPS_H
#define STREAMTRACE_ALIKE_GAPS_H

#include "base/memory.h"
#include "base/vector.h"
#include "detectors/host/host_kinds.h"

/* What was found in the gaps between two call sites. */
struct alike_group {
	int64_t ns[HOST_KIND_COUNT];
	size_t longest[HOST_KIND_COUNT]; /* the longest share of the kind, if that has any time */
};

/* Zero-initialize it; alike_gaps_free() it. */
struct alike_gaps {
	struct map numbers; /* of groups, by their call sites */
	VECTOR(struct alike_group) groups;
	struct map by_line; /* shares, by group, line and kind */
	VECTOR(struct host_part) shares;
};

/* The group of the gap between the calls, for the functions below. */
size_t alike_gaps_group(struct alike_gaps *gaps, const struct trace_call *since,
			const struct trace_call *call);

/* Adds a part that looks found in a gap of the group. */
void alike_gaps_add(struct alike_gaps *gaps, size_t group, const struct host_part *part);

/* What a gap of the group in which nobody looked counts as: the longest line of the kind that takes
 * over half of the time found in the group. NULL: there is no such kind. */
const struct host_part *alike_gaps_main(const struct alike_gaps *gaps, size_t group);

void alike_gaps_free(struct alike_gaps *gaps);

#endif
