/*
 * The joint replay: what the fixes of a line save the job, by the model of paths.h.
 *
 * Takes time linear in the model's events and edges. The caller frees the result with joint_free().
 * The result's groups point into the paths, which must outlive the result. Any thread.
 */
#ifndef STREAMTRACE_JOINT_H
#define STREAMTRACE_JOINT_H

#include "findings/analysis.h"
#include "job/paths.h"

struct joint_group {
	const struct paths_group *group;
	struct stated saved; /* what the job saves, over its whole run */
};

struct joint {
	/* From the begin of the first rank to the end of the last. If the model is of a part of the
	 * run (paths.is_part): from the end of the part's first collective to the end of its
	 * last. */
	int64_t measured_ns;
	int64_t traced_ns;   /* what the model says for measured_ns: the self-check */
	int64_t untraced_ns; /* what the model says for the run without the tracer */
	bool is_near; /* traced_ns is within 5 % of measured_ns; if not, do not show savings */
	/* The kernels of the run divided by the kernels of the model; 1: the model is of the whole
	 * run. All savings here are multiplied by scale already. */
	double scale;
	size_t events; /* collectives, sends and receives of several ranks */
	/* Events with ranks that are not in the job. These ranks stay as late as they were. If most
	 * events are incomplete, low ends are 0. */
	size_t incomplete;
	struct joint_group *groups; /* groups[i] is of paths.groups[i] */
	size_t group_count;
};

/* Replays the model with the fixes of each group. paths->begin_ns and end_ns are the measured
 * time. */
struct joint joint_replay(const struct paths *paths);
void joint_free(struct joint *joint);

/* When the last rank ends, in ns of the model's time, with these edges of the paths; 0 without
 * edges to the end. ends_ns: NULL, or an array of paths.event_count, which receives the end of each
 * event. */
int64_t joint_end_ns(const struct paths *paths, const struct paths_edges *edges, int64_t *ends_ns);

#endif
