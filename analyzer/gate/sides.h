/* What makes the two sides of a diff hard to compare: notes of the gate. One thread. */
#ifndef STREAMTRACE_GATE_SIDES_H
#define STREAMTRACE_GATE_SIDES_H

#include "gate/gate.h"
#include "gate/ranks.h"
#include "gate/run.h"

struct sides {
	const struct gate_run *const *runs; /* base's first */
	const struct ranks *ranks;
	const double *scales; /* of each run: its work by that of its rank in base */
};

/* Whether what is new may not be: base cannot be trusted, or its names are of another kind. */
bool sides_note(struct gate *gate, const struct gate_rules *rules, const struct sides *sides);

#endif
