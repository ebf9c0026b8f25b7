/* The gate of one set of traces: which findings are denied, and how much overlap may be lost. One
 * thread. */
#ifndef STREAMTRACE_GATE_CHECK_H
#define STREAMTRACE_GATE_CHECK_H

#include "gate/gate.h"
#include "gate/gate_run.h"

/* Judges the runs and calls gate_finish(). The caller must have set the gate's command, paths and
 * path_count; count is path_count. Adds a row for each finding that the report of any trace lists;
 * findings of several traces with the same identity (gate_run.h) and first line share a row. Adds a
 * row for each trace that loses more than rules->max_lost, and a note for each doubt. Rows point to
 * texts of the runs: free the runs after the gate's last use. */
void gate_check(struct gate *gate, const struct gate_rules *rules,
		const struct gate_run *const *runs, size_t count);

#endif
