/*
 * What changed as a whole between the traces of base and of head: struct gate_change (gate.h). Of
 * the runs of a launcher's ranks, the numbers are of one rank: the one that takes longest in base.
 * One thread.
 */
#ifndef STREAMTRACE_GATE_CHANGE_H
#define STREAMTRACE_GATE_CHANGE_H

#include "gate/gate.h"
#include "gate/gate_run.h"
#include "gate/sides.h"

/* Sets gate->change, without the predicted saving. Call after gate->rows is complete: gate_diff()
 * does. */
void gate_change_measure(struct gate *gate, const struct sides *sides);

/* Sets the predicted saving: by a replay of the analysis of base's run gate->change.base_run with
 * the fixes of all that is gone. Call after gate_diff(). */
void gate_change_predict(struct gate *gate, const struct analysis *analysis);

/* Like gate_change_predict(), for a base without traces (saved_runs.h). It is known only if all findings of the
 * run are gone, or one alone is; otherwise no_prediction says between which savings it lies. run: base's run
 * gate->change.base_run. */
void gate_change_recall(struct gate *gate, const struct gate_run *run);

#endif
