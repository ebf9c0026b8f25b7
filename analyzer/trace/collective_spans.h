/*
 * The times in which NCCL enqueues kernels: of a call alone, or of the end of a group of calls. While a trace is
 * loaded.
 *
 * One thread.
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
	bool is_used; /* by a collective: only then the thread is known */
	bool has_kernel;
};

typedef VECTOR(struct trace_collective) collective_vector;

struct collective_spans {
	VECTOR(struct collective_span) items;
	collective_vector collectives; /* as they were called, by start_ns */
	VECTOR(size_t) span_of;	       /* of each collective, or NO_SPAN */
	struct map groups;	       /* collective_groups.id to index of items */
	struct sort_key *sorted; /* items by thread and time, once there is no other to come */
};

#define NO_SPAN SIZE_MAX

/* Of the end of a group. */
void collective_spans_add_group(struct collective_spans *spans, int64_t start_ns, int64_t end_ns);

/* By start_ns. group_id or ROW_NULL; one that was not added: its end was not recorded, and it has no
 * kernel. */
void collective_spans_add(struct collective_spans *spans, const struct trace_collective *collective,
			  int64_t group_id);

/* When all were added. */
void collective_spans_sort(struct collective_spans *spans);

/* The span that the call was made in, or NO_SPAN. */
size_t collective_spans_find(const struct collective_spans *spans, const struct trace_call *call);

/* Whether the thread has any. */
bool collective_spans_have(const struct collective_spans *spans, uint32_t thread_id);

void collective_spans_free(struct collective_spans *spans);

#endif
