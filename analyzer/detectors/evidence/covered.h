/* The union of spans of time, and how much of another span it covers.
 *
 * Zero-initialize a struct covered; covered_add() the spans in the order of their starts; call
 * covered_end(); then query. One thread builds it; any thread may query. */
#ifndef STREAMTRACE_COVERED_H
#define STREAMTRACE_COVERED_H

#include "base/vector.h"
#include "model/span.h"

/* The union. */
struct covered {
	VECTOR(struct span) spans; /* sorted; they neither overlap nor touch */
	int64_t *before_ns;	   /* by index in spans: the total length of the spans before; set
				    * by covered_end() */
};

/* Adds a span, which may overlap others. Call in the order of starts. */
void covered_add(struct covered *covered, struct span span);
/* Call after the last span was added. */
void covered_end(struct covered *covered);

/* How many ns of the span are covered; O(log n). Call after covered_end(). */
int64_t covered_within(const struct covered *covered, struct span span);

/* Frees what the struct points to. The struct stays the caller's. */
void covered_free(struct covered *covered);

#endif
