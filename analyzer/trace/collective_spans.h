/*
 * The spans of time in which NCCL enqueues kernels: a single call, or the end of a group of calls.
 * Used while a trace is loaded. Zero-initialize a struct collective_spans; free it by
 * collective_spans_free(). Times are the trace's ns. One thread.
 */
#ifndef STREAMTRACE_COLLECTIVE_SPANS_H
#define STREAMTRACE_COLLECTIVE_SPANS_H

#include "base/sort.h"
#include "base/vector.h"
#include "trace/collectives.h"
#include "trace/id_index.h"

struct collective_span {
	int64_t start_ns, end_ns;
	uint32_t thread_id;
	bool is_used;	 /* a collective is in the span; only then thread_id is set */
	bool has_kernel; /* a kernel of the span was found: set by collective_match() */
};

typedef VECTOR(struct trace_collective) collective_vector;

struct collective_spans {
	VECTOR(struct collective_span) items;
	collective_vector collectives; /* as called, ordered by start_ns */
	VECTOR(size_t) span_of;	       /* by collective: index in items, or NO_SPAN */
	struct map groups;	       /* from collective_groups.id to index in items */
	struct sort_key *sorted; /* items by thread and time; set by collective_spans_sort() */
};

#define NO_SPAN SIZE_MAX

/* Adds the span of a group's end. Before, the caller must map the group's id to items.count in
 * spans->groups. */
void collective_spans_add_group(struct collective_spans *spans, int64_t start_ns, int64_t end_ns);

/* Adds a copy of *collective; call in the order of start_ns, after all groups were added. group_id:
 * the id of its group; ROW_NULL: none. If the group was not added (its end was not recorded), the
 * collective gets no span and so no kernel. */
void collective_spans_add(struct collective_spans *spans, const struct trace_collective *collective,
			  int64_t group_id);

/* Call once, after all groups and collectives were added, and before the functions below. */
void collective_spans_sort(struct collective_spans *spans);

/* The index of the span of the call's thread in which the call began (both ends included), or
 * NO_SPAN. */
size_t collective_spans_find(const struct collective_spans *spans, const struct trace_call *call);

/* Whether the thread has any span. */
bool collective_spans_have(const struct collective_spans *spans, uint32_t thread_id);

/* Frees all arrays of *spans, but not *spans. */
void collective_spans_free(struct collective_spans *spans);

#endif
