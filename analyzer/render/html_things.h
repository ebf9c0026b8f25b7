/*
 * Things: descriptions of the timeline's events. Like events share one: kernels of the same name and launch
 * size, copies of the same kind, calls of the same function and line, states of host threads in the same line. Texts of a trace go into JSON only.
 *
 * One thread; out of memory ends the program.
 */
#ifndef STREAMTRACE_HTML_THINGS_H
#define STREAMTRACE_HTML_THINGS_H

#include "base/vector.h"
#include "model/host_record.h"
#include "viewer/levels.h"

#include <jansson.h>

/* How many events of the measured run have a thing, the sum of their durations, and the longest of them, which starts
 * at longest_start_ns on the page. */
struct html_count {
	int64_t count, sum_ns, longest_ns, longest_start_ns;
};

/* The caller sets trace, and zeros the rest. html_things_take() frees what the struct holds. */
struct html_things {
	const struct trace *trace;
	struct map numbers;	/* hash of a thing to its index in rows */
	uint32_t *collectives;	/* of each operation its collective; NULL: there are none */
	bool knows_collectives; /* collectives is set */
	json_t *rows;		/* NULL: there are no things yet */
	VECTOR(struct html_count) counts; /* counts[i] is of rows[i] */
};

/* Each function returns the index of its event's thing. A thing that is new is added. */
uint32_t html_operation_thing(struct html_things *things, const struct trace_operation *operation);
uint32_t html_call_thing(struct html_things *things, const struct trace_call *call);
uint32_t html_function_thing(struct html_things *things,
			     const struct trace_host_function *function);
uint32_t html_range_thing(struct html_things *things, const struct trace_range *range);

/* The same for a state of a host thread. doing: an index in record->doings, while the thread has a processor or needs
 * none; html_ready_thing(): while it has none, being ready to run; html_calls_thing(): while it is in CUDA calls. */
uint32_t html_doing_thing(struct html_things *things, const struct host_record *record,
			  uint32_t doing);
uint32_t html_ready_thing(struct html_things *things, const struct host_record *record,
			  uint32_t doing);
uint32_t html_calls_thing(struct html_things *things);

/* Counts an event of the measured run that has the thing. Its times are the page's. */
void html_count_thing(struct html_things *things, uint32_t thing, int64_t start_ns, int64_t end_ns);

/* Returns the class that the operation is drawn as. */
enum viewer_class html_class_of(const struct trace_operation *operation);

/* Returns a JSON array of the rows, which the caller releases. A row is [class, name, full name, facts, line,
 * function, number of events, sum of their durations, duration and start of the longest, all in ns]; JSON null stands
 * for what is unknown. The full name of a
 * state is what its line called: "NumPy", "queue.get". Frees the rest:
 * *things must not be used afterwards. */
json_t *html_things_take(struct html_things *things);

#endif
