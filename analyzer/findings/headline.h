/* The first numbers of a report: wall time, and how the engines shared it. */
#ifndef STREAMTRACE_HEADLINE_H
#define STREAMTRACE_HEADLINE_H

#include "findings/analysis.h"
#include "model/model.h"

/* Times are those within the windows of the recording. Fills in origin_ns, wall_ns, lead_ns,
 * busy_ns, idle_ns and overlapped_ns. An engine is busy when it is on any device; two devices'
 * engines of the same kind count as one. */
void headline_measure(struct analysis *analysis, const struct trace *trace);

/* The same for another timeline of the trace's operations, which takes wall_ns: times by index in
 * trace.operations. Fills in wall_ns, busy_ns, idle_ns and overlapped_ns; of a sample, by weight. */
void headline_measure_spans(struct analysis *analysis, const struct trace *trace,
			    const struct span *operations, int64_t wall_ns);

/* The engines of one device, or of several, while their operations are added. */
struct headline_sweep {
	struct device_load load;	/* until now_ns */
	int64_t until_ns[ENGINE_COUNT]; /* when each is no longer busy */
	int64_t now_ns;
};

/* How engines shared a run of wall_ns: begin, then each operation by its start, then the end. */
struct headline_sweep headline_begin(int64_t wall_ns);
void headline_add(struct headline_sweep *sweep, enum engine engine, int64_t start_ns,
		  int64_t end_ns);
struct device_load headline_end(struct headline_sweep *sweep);

#endif
