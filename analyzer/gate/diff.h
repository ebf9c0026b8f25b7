/* The gate of two sets of traces: what head has that base has not. One thread. */
#ifndef STREAMTRACE_GATE_DIFF_H
#define STREAMTRACE_GATE_DIFF_H

#include "gate/gate.h"
#include "gate/run.h"

/* Fills in the gate, whose command and paths are set: a row for each finding that the report of any
 * trace lists. runs: base's first, at least one of each side. The gate's texts are partly the runs'. */
void gate_diff(struct gate *gate, const struct gate_rules *rules,
	       const struct gate_run *const *runs);

#endif
