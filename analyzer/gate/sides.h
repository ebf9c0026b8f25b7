/* Notes on what makes the two sides of a diff hard to compare. One thread. */
#ifndef STREAMTRACE_GATE_SIDES_H
#define STREAMTRACE_GATE_SIDES_H

#include "gate/gate.h"
#include "gate/gate_run.h"
#include "gate/ranks.h"

struct sides {
	const struct gate_run *const *runs; /* base's first */
	const struct ranks *ranks;
	const double *scales; /* by run: its work divided by that of its rank's first base run */
};

/* Adds the notes to the gate. True: a run of base has a doubt, or only one side has names of
 * functions. A finding that looks new can then be an old one, and the caller must not let it fail
 * the gate. */
bool sides_note(struct gate *gate, const struct gate_rules *rules, const struct sides *sides);

#endif
