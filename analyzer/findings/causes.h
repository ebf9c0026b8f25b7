/* Which lines share a cause. One thread. */
#ifndef STREAMTRACE_CAUSES_H
#define STREAMTRACE_CAUSES_H

#include "detectors/detector.h"

#include <stdint.h>

/* An instance and the number of its line, from 0. */
struct caused {
	const struct instance *instance;
	uint32_t line;
};

/* The group of each of the lines, freed with free(): lines have the same one where more than half of the
 * instances of each have the same cause. Groups are numbered by their first lines. All instances are of the
 * detector. */
uint32_t *causes_group(const struct model *model, const struct detector *detector,
		       const struct caused *caused, size_t count, uint32_t line_count);

#endif
