/*
 * The joint replay: what the fixes of a line bring the job, by the model of paths.h.
 *
 * Linear in the model: events and edges. The result belongs to the caller, its texts to the paths. One
 * thread.
 */
#ifndef STREAMTRACE_JOINT_H
#define STREAMTRACE_JOINT_H

#include "findings/analysis.h"
#include "job/paths.h"

struct joint_group {
	const struct paths_group *group;
	struct interval saved; /* by the job, over its whole run */
};

struct joint {
	/* From the first rank's begin to the last one's end; of a part of the run (paths.is_part) from the
	 * end of its first collective to that of its last. */
	int64_t measured_ns;
	int64_t traced_ns;   /* the same by the model, which is the self-check */
	int64_t untraced_ns; /* by the model without the tracer */
	bool is_near; /* traced_ns is within 5 % of measured_ns: else no saving is to be shown */
	/* What a part saves counts so often: the run's kernels by the part's; 1: the model is of all. */
	double scale;
	size_t events; /* collectives, sends and receives */
	size_t incomplete; /* of them with ranks that are not in the job: those stay as late as they were */
	struct joint_group *groups; /* as paths.groups */
	size_t group_count;
};

struct joint joint_replay(const struct paths *paths);
void joint_free(struct joint *joint);

/* The end of the last rank, in the model's time; ends_ns: by event, or NULL. For tests. */
int64_t joint_end_ns(const struct paths *paths, const struct paths_edges *edges, int64_t *ends_ns);

#endif
