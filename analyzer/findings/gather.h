/*
 * Groups instances by the line to be changed, and by cause. One thread.
 *
 * A line of a detector with is_by_size is two lines if it makes copies of at most 64 KB, which the
 * driver takes over at once, and copies of at least 1 MB, which last as long as their bytes take:
 * one of the copies of at most 64 KB, and one of all others. They stay one line if most instances
 * of both have the same cause.
 */
#ifndef STREAMTRACE_GATHER_H
#define STREAMTRACE_GATHER_H

#include "detectors/detector.h"
#include "findings/analysis.h"

/* The instances of one line, or of lines that share a cause (causes.h), the longest first. */
struct gathered {
	const struct instance *instances;
	const uint32_t *lines; /* by instance: index in sites */
	/* All lines with instances of the detector, without their counts and times. */
	const struct finding_site *sites;
	size_t count; /* of instances, 1 or more */
};

/* Whether the copy that the instance's line makes is one of at most 64 KB. */
bool gather_is_small(const struct instance *instance);

typedef void (*gather_function)(void *context, const struct detector *detector,
				const struct gathered *group);

/* The line to be changed for an instance: of instance->place, or else of
 * instance->site_call. Strings belong to the trace. */
struct site gather_site(const struct trace *trace, const struct instance *instance);

/* Calls take() for each group of the instances found, in the order of lines. The group is valid
 * only during take(). The instances found are clipped to the trace's windows, and removed if
 * nothing is left of them. */
void gather(const struct model *model, const struct detector *detector, struct instances *found,
	    gather_function take, void *context);

#endif
