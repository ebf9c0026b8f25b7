/*
 * What the events of a timeline are: each kernel with its launch, each kind of copy, each call with its
 * line once, for all events that are alike. Texts of a trace go into JSON, and nowhere else.
 *
 * One thread; out of memory ends the program.
 */
#ifndef STREAMTRACE_HTML_THINGS_H
#define STREAMTRACE_HTML_THINGS_H

#include "base/vector.h"
#include "trace/trace.h"
#include "viewer/levels.h"

#include <jansson.h>

/* How often one is in the trace, and for how long. */
struct html_count {
	int64_t count, sum_ns;
};

/* Zero-initialize it but for the trace. */
struct html_things {
	const struct trace *trace;
	struct map numbers;    /* by what they have in common */
	uint32_t *collectives; /* by kernel, or NULL */
	bool knows_collectives;
	json_t *rows;
	VECTOR(struct html_count) counts; /* by index in rows */
};

/* The index of each's row. */
uint32_t html_operation_thing(struct html_things *things, const struct trace_operation *operation);
uint32_t html_call_thing(struct html_things *things, const struct trace_call *call);
uint32_t html_function_thing(struct html_things *things,
			     const struct trace_host_function *function);
uint32_t html_range_thing(struct html_things *things, const struct trace_range *range);

/* One that is in the trace. */
void html_count_thing(struct html_things *things, uint32_t thing, int64_t time_ns);

enum viewer_class html_class_of(const struct trace_operation *operation);

/* The rows, [class, name, full name, facts, line, function, count, sum of times] each, with null for
 * what is not known. The caller's; the things are empty afterwards. */
json_t *html_things_take(struct html_things *things);

#endif
