/* Stretches of time that may overlap, and how much of another one they take together. */
#ifndef STREAMTRACE_COVERED_H
#define STREAMTRACE_COVERED_H

#include "base/vector.h"
#include "model/span.h"

/* Zero-initialize it. */
struct covered {
	VECTOR(struct span) spans; /* apart from each other */
	int64_t *before_ns;	   /* by index there: how long those before it are, once it ended */
};

/* In the order of their starts. */
void covered_add(struct covered *covered, struct span span);
/* Once all are there. */
void covered_end(struct covered *covered);

/* O(log n). */
int64_t covered_within(const struct covered *covered, struct span span);

void covered_free(struct covered *covered);

#endif
