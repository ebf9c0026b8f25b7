/* Groups the lines that share a cause (detectors/cause.h). One thread. */
#ifndef STREAMTRACE_CAUSES_H
#define STREAMTRACE_CAUSES_H

#include "detectors/detector.h"

#include <stdint.h>

/* An instance, and the number of its line, from 0. If the copies of a line are two lines by their
 * sizes (gather.h), place is the number of the first one; otherwise it is the line. */
struct caused {
	const struct instance *instance;
	uint32_t line, place;
};

/* Returns an array with the group of each line, which the caller frees. Two lines are in one group
 * if more than half of the instances of each have the same cause. If detector->cause is NULL, each
 * line is a group. Groups are numbered in the order of their first lines. All instances must be of
 * the detector. */
uint32_t *causes_group(const struct model *model, const struct detector *detector,
		       const struct caused *caused, size_t count, uint32_t line_count);

#endif
