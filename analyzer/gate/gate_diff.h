/* The gate of two sets of traces, base and head: findings that are new or worse in head. One
 * thread. */
#ifndef STREAMTRACE_GATE_DIFF_H
#define STREAMTRACE_GATE_DIFF_H

#include "gate/gate.h"
#include "gate/gate_run.h"

/* Compares head's runs with base's and calls gate_finish(). The caller must have set the gate's
 * command, paths, base_count and path_count. runs has path_count elements: base's first, at least
 * one of each side. Adds a row for each finding that the report of any trace lists, and notes on
 * everything that makes the sides hard to compare. Sets gate->change, without the predicted saving
 * (gate_change.h). Rows point to texts of the runs: free the runs
 * after the gate's last use. */
void gate_diff(struct gate *gate, const struct gate_rules *rules,
	       const struct gate_run *const *runs);

/* Adds the doubt that goes with GATE_UNDECIDED. */
void gate_doubt_undecided(struct gate *gate, const struct gate_finding *finding);

#endif
