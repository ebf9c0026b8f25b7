/* The gate of one set of traces: what is denied, and how much overlap may be lost. One thread. */
#ifndef STREAMTRACE_GATE_CHECK_H
#define STREAMTRACE_GATE_CHECK_H

#include "gate/gate.h"
#include "gate/run.h"

/* Fills in the gate, whose command and paths are set: a row for each finding that the report of any
 * trace lists. The gate's texts are partly the runs'. */
void gate_check(struct gate *gate, const struct gate_rules *rules,
		const struct gate_run *const *runs, size_t count);

#endif
