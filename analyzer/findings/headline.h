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

/* An engine, and when an operation kept it busy. */
struct headline_span {
	enum engine engine;
	struct span span;
};

/* How the engines of one device shared the run of wall_ns. */
struct device_load headline_load(const struct headline_span *spans, size_t count, int64_t wall_ns);

#endif
