/*
 * Things: descriptions of the timeline's events. Like events share one: kernels of the same name and launch
 * size, copies of the same kind, calls of the same function and line. Texts of a trace go into JSON only.
 *
 * One thread; out of memory ends the program.
 */
#ifndef STREAMTRACE_HTML_THINGS_H
#define STREAMTRACE_HTML_THINGS_H

#include "base/vector.h"
#include "trace/trace.h"
#include "viewer/levels.h"

#include <jansson.h>

/* How many events of the measured run have a thing, and their times together. */
struct html_count {
	int64_t count, sum_ns;
};

/* Set trace, and zero the rest. */
struct html_things {
	const struct trace *trace;
	struct map numbers;	/* hash of a thing to its index in rows */
	uint32_t *collectives;	/* of each operation its collective; NULL: there are none */
	bool knows_collectives; /* collectives is set */
	json_t *rows;
	VECTOR(struct html_count) counts; /* counts[i] is of rows[i] */
};

/* The index of the event's thing, which is added if it is new. */
uint32_t html_operation_thing(struct html_things *things, const struct trace_operation *operation);
uint32_t html_call_thing(struct html_things *things, const struct trace_call *call);
uint32_t html_function_thing(struct html_things *things,
			     const struct trace_host_function *function);
uint32_t html_range_thing(struct html_things *things, const struct trace_range *range);

/* Counts an event of the measured run that has the thing. */
void html_count_thing(struct html_things *things, uint32_t thing, int64_t time_ns);

/* The class that the operation is drawn as. */
enum viewer_class html_class_of(const struct trace_operation *operation);

/* The rows, [class, name, full name, facts, line, function, count, sum of times] each, with null for what is not
 * known. The caller releases the array. The things are empty afterwards. */
json_t *html_things_take(struct html_things *things);

#endif
