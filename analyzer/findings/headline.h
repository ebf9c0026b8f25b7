/* The first numbers of a report: the wall time, and how long the engines were busy in it. One
 * thread. */
#ifndef STREAMTRACE_HEADLINE_H
#define STREAMTRACE_HEADLINE_H

#include "findings/analysis.h"
#include "model/model.h"

/* Fills in origin_ns, wall_ns, lead_ns, busy_ns, idle_ns and overlapped_ns, inside the windows of
 * the recording. An engine counts as busy if it is on any device: engines of one kind on several
 * devices count as one. */
void headline_measure(struct analysis *analysis, const struct trace *trace);

/* Like headline_measure(), for other times of the operations (by index in trace.operations), in a
 * run of wall_ns. Fills in wall_ns, busy_ns, idle_ns and overlapped_ns; for a sample weighted. */
void headline_measure_spans(struct analysis *analysis, const struct trace *trace,
			    const struct span *operations, int64_t wall_ns);

/* Sweeps over the operations of one device or several, to measure their engines' load. */
struct headline_sweep {
	struct device_load load;	/* the load until now_ns */
	int64_t until_ns[ENGINE_COUNT]; /* when each engine stops being busy */
	int64_t now_ns;
};

/* Measures the engines' load in a run of wall_ns: call headline_begin(), headline_add() for each
 * operation in the order of starts, then headline_end(). */
struct headline_sweep headline_begin(int64_t wall_ns);
void headline_add(struct headline_sweep *sweep, enum engine engine, int64_t start_ns,
		  int64_t end_ns);
struct device_load headline_end(struct headline_sweep *sweep);

#endif
