/* Instances by the lines that are to be changed, and by what these have in common. */
#ifndef STREAMTRACE_GATHER_H
#define STREAMTRACE_GATHER_H

#include "detectors/detector.h"
#include "trace/site.h"

/* The instances of the lines that share a cause (causes.h), or of one line: the longest first. */
struct gathered {
	const struct instance *instances;
	const uint32_t *lines;	  /* of each instance */
	const struct site *sites; /* of each line */
	size_t count;
};

typedef void (*gather_function)(void *context, const struct detector *detector,
				const struct gathered *group);

/* The line that is to be changed. */
struct site gather_site(const struct trace *trace, const struct instance *instance);

/* Hands over what was found, in the order of the lines, group by group; instances last as long as the
 * call. Cuts them to the trace's windows. */
void gather(const struct model *model, const struct detector *detector, struct instances *found,
	    gather_function take, void *context);

#endif
