/* Instances by the line that is to be changed. */
#ifndef STREAMTRACE_GATHER_H
#define STREAMTRACE_GATHER_H

#include "detectors/detector.h"
#include "trace/site.h"

/* The instances of one line, the longest first. */
struct gathered {
	struct site site;
	const struct instance *instances;
	size_t count;
};

typedef void (*gather_function)(void *context, const struct detector *detector,
				const struct gathered *group);

/* Hands over what was found, line by line; instances last as long as the call. Cuts them to the
 * trace's windows. */
void gather(const struct model *model, const struct detector *detector, struct instances *found,
	    gather_function take, void *context);

#endif
