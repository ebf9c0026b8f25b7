/* The first numbers of a report: the wall time, and how long the engines were busy in it. One
 * thread. */
#ifndef STREAMTRACE_HEADLINE_H
#define STREAMTRACE_HEADLINE_H

#include "model/model.h"

struct headline {
	int64_t origin_ns; /* start of the first call or operation; with windows, of the first */
	int64_t wall_ns;   /* from origin_ns to the end of the last call or operation; with
			    * windows, their sum */
	int64_t lead_ns; /* from the first call's start to the first operation's; with windows, 0 */
	int64_t tail_ns; /* from the last operation's end to the last call's; with windows, 0 */
	int64_t busy_ns[ENGINE_COUNT];
	int64_t idle_ns;       /* no engine was busy */
	int64_t overlapped_ns; /* at least two engines were busy */
};

/* How long a device's engines were busy in the run; idle_ns is the rest of the wall time. */
struct device_load {
	int64_t busy_ns[ENGINE_COUNT];
	int64_t idle_ns;       /* no engine was busy */
	int64_t overlapped_ns; /* at least two engines were busy */
};

/* Measures inside the windows of the recording. Engines of one kind on several devices count as one
 * engine, which is busy if any of them is. */
struct headline headline_measure(const struct trace *trace);

/* origin_ns of headline_measure(). */
int64_t headline_origin_ns(const struct trace *trace);

/* Like headline_measure(), for a run of wall_ns in which operations have other times. operations:
 * by index in trace.operations. Times of a sample are weighted. origin_ns and lead_ns are 0. */
struct headline headline_measure_spans(const struct trace *trace, const struct span *operations,
				       int64_t wall_ns);

/* The state of a sweep over operations, of one device or several. */
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
