/*
 * Findings of a diff that moved to another function: gone in one, new in another, by one detector,
 * in as many calls and bytes of the same kinds. One thread.
 */
#ifndef STREAMTRACE_GATE_MOVES_H
#define STREAMTRACE_GATE_MOVES_H

#include "gate/gate.h"
#include "gate/gate_run.h"

/* A row of a diff that is gone, or new. */
struct move {
	size_t row;			    /* its index in gate->rows */
	const struct gate_finding *finding; /* in the trace that the row is about */
	double count, bytes; /* in base if it is gone, in head if it is new: medians */
};

typedef VECTOR(struct move) move_vector;

/* Makes one row of each pair of a gone and a new one: GATE_MOVED, which does not fail. Call before
 * the rows are sorted. The order of the other rows stays; indexes in `moves` are then invalid. */
void moves_pair(struct gate *gate, const move_vector *moves);

#endif
