/* The union of spans of time, and how much of another span it covers.
 *
 * Zero-initialize it; covered_add() the spans in the order of their starts, then covered_end(),
 * then query. One thread; queries from any thread. */
#ifndef STREAMTRACE_COVERED_H
#define STREAMTRACE_COVERED_H

#include "base/vector.h"
#include "model/span.h"

/* The union. */
struct covered {
	VECTOR(struct span) spans; /* its parts, which do not overlap */
	int64_t *before_ns;	   /* by index in spans: the total length of the parts before; set
				    * by covered_end() */
};

/* Adds a span, which may overlap others. Call in the order of starts. */
void covered_add(struct covered *covered, struct span span);
/* Call after the last span was added. */
void covered_end(struct covered *covered);

/* How much of the span is covered, in ns; O(log n). */
int64_t covered_within(const struct covered *covered, struct span span);

void covered_free(struct covered *covered);

#endif
