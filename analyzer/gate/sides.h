/* Notes on what makes the two sides of a diff hard to compare. One thread. */
#ifndef STREAMTRACE_GATE_SIDES_H
#define STREAMTRACE_GATE_SIDES_H

#include "gate/gate.h"
#include "gate/gate_run.h"
#include "gate/ranks.h"

struct sides {
	const struct gate_run *const *runs; /* base's first */
	const struct ranks *ranks;
	const double *scales; /* scales[run]: its work divided by that of base's first run of the same rank */
};

/* Adds the notes to the gate. True: base has a doubt, or only one side has names of functions. A finding that
 * looks new may then be an old one, and must not fail the gate. */
bool sides_note(struct gate *gate, const struct gate_rules *rules, const struct sides *sides);

#endif
