/* The gate of one set of traces: which findings are denied, and how much overlap may be lost. One
 * thread. */
#ifndef STREAMTRACE_GATE_CHECK_H
#define STREAMTRACE_GATE_CHECK_H

#include "gate/gate.h"
#include "gate/gate_run.h"

/* Judges the runs and calls gate_finish(). The caller must have set the gate's command, paths,
 * base_count and path_count; runs are those behind base's, and count is how many. Adds a row for each finding that the
 * report of any trace lists; findings of several traces with the same identity (gate_run.h) and
 * first line share a row. Adds a row for each trace that loses more than rules->max_lost, and a
 * note for each doubt. Rows point to texts of the runs: free the runs after the gate's last use. */
void gate_check(struct gate *gate, const struct gate_rules *rules,
		const struct gate_run *const *runs, size_t count);

/* Like gate_check(), for what is new or worse than in base: runs has path_count elements, base's
 * first. Other findings get the reason `reason`, as if they were allowed. Notes base's differences. */
void gate_check_against(struct gate *gate, const struct gate_rules *rules, struct gate_run **runs,
			const char *reason);

#endif
